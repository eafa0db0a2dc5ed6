// examples/triton/products.py, matmul: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_infer_task_type_function"}> ({
    %146 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%146) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf16, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = -16 : index}> : () -> index
    %1 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 16 : index}> : () -> index
    %3 = "arith.constant"() <{value = 15 : index}> : () -> index
    %4 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 2 : index}> : () -> index
    %8 = "arith.constant"() <{value = 0 : index}> : () -> index
    %9 = "arith.constant"() <{value = -1 : index}> : () -> index
    %10 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %16 = "arith.constant"() <{value = 64 : index}> : () -> index
    %17 = "arith.constant"() <{value = 128 : index}> : () -> index
    %18 = "arith.constant"() <{value = 127 : i32}> : () -> i32
    %19 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %20 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %21 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %22 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %23 = "arith.muli"(%22, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%23) {logical_block_num} : (i32) -> ()
    %24 = "hivm.hir.get_block_idx"() : () -> i64
    %25 = "arith.trunci"(%24) : (i64) -> i32
    %26 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %27 = "arith.divsi"(%25, %26) : (i32, i32) -> i32
    %28 = "arith.remsi"(%27, %arg9) : (i32, i32) -> i32
    %29 = "arith.addi"(%arg7, %18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %30 = "arith.divsi"(%29, %19) : (i32, i32) -> i32
    %31 = "arith.divsi"(%28, %30) : (i32, i32) -> i32
    %32 = "arith.muli"(%31, %19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.remsi"(%28, %30) : (i32, i32) -> i32
    %34 = "arith.muli"(%33, %19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %35 = "arith.index_cast"(%32) : (i32) -> index
    %36 = "arith.index_cast"(%arg8) : (i32) -> index
    %37 = "arith.index_cast"(%arg6) : (i32) -> index
    %38 = "arith.maxsi"(%37, %35) : (index, index) -> index
    %39 = "arith.addi"(%35, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %40 = "arith.minsi"(%39, %38) : (index, index) -> index
    %41 = "arith.subi"(%40, %35) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %42 = "arith.minsi"(%41, %17) : (index, index) -> index
    %43 = "arith.cmpi"(%42, %17) <{predicate = 2 : i64}> : (index, index) -> i1
    %44 = "arith.index_cast"(%arg7) : (i32) -> index
    %45 = "arith.index_cast"(%34) : (i32) -> index
    %46 = "arith.maxsi"(%44, %45) : (index, index) -> index
    %47 = "arith.addi"(%45, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %48 = "arith.minsi"(%47, %46) : (index, index) -> index
    %49 = "arith.subi"(%48, %45) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %50 = "arith.minsi"(%49, %17) : (index, index) -> index
    %51 = "arith.cmpi"(%50, %17) <{predicate = 2 : i64}> : (index, index) -> i1
    %52 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x8x16x16xf32, #hivm.address_space<cc>>
    %53 = "memref.cast"(%52) : (memref<8x8x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%20, %arg8, %21) ({
    ^bb0(%arg12: i32):
      %74 = "arith.index_cast"(%arg12) : (i32) -> index
      %75 = "arith.cmpi"(%74, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %76 = "arith.subi"(%9, %74) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %77 = "arith.select"(%75, %76, %74) : (i1, index, index) -> index
      %78 = "arith.divsi"(%77, %16) : (index, index) -> index
      %79 = "arith.subi"(%9, %78) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %80 = "arith.select"(%75, %79, %78) : (i1, index, index) -> index
      %81 = "arith.index_cast"(%80) : (index) -> i64
      %82 = "arith.index_cast"(%arg12) : (i32) -> index
      %83 = "arith.cmpi"(%82, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %84 = "arith.subi"(%9, %82) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %85 = "arith.select"(%83, %84, %82) : (i1, index, index) -> index
      %86 = "arith.divsi"(%85, %16) : (index, index) -> index
      %87 = "arith.subi"(%9, %86) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %88 = "arith.select"(%83, %87, %86) : (i1, index, index) -> index
      %89 = "arith.remsi"(%88, %7) : (index, index) -> index
      %90 = "arith.cmpi"(%89, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %91 = "arith.addi"(%89, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %92 = "arith.select"(%90, %91, %89) : (i1, index, index) -> index
      %93 = "arith.index_cast"(%92) : (index) -> i1
      %94 = "arith.select"(%93, %6, %5) : (i1, i64, i64) -> i64
      %95 = "arith.index_cast"(%92) : (index) -> i1
      %96 = "arith.select"(%95, %11, %4) : (i1, i64, i64) -> i64
      %97 = "hivm.hir.pointer_cast"(%13, %12) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x16xf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%97) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>) -> ()
      %98 = "hivm.hir.pointer_cast"(%10, %14) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x8x16x16xf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%98) {hivm.multi_buffer = 2 : i32} : (memref<4x8x16x16xf16, #hivm.address_space<cbuf>>) -> ()
      %99 = "arith.index_cast"(%arg12) : (i32) -> index
      %100 = "arith.muli"(%35, %36) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %101 = "arith.addi"(%99, %100) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %102 = "memref.reinterpret_cast"(%arg3, %101, %36) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<128x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %103 = "memref.cast"(%98) : (memref<4x8x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %104 = "arith.maxsi"(%36, %99) : (index, index) -> index
      %105 = "arith.addi"(%99, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %106 = "arith.minsi"(%105, %104) : (index, index) -> index
      %107 = "arith.subi"(%106, %99) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %108 = "arith.minsi"(%107, %16) : (index, index) -> index
      %109 = "arith.cmpi"(%108, %16) <{predicate = 2 : i64}> : (index, index) -> i1
      %110 = "arith.ori"(%43, %109) : (i1, i1) -> i1
      %111 = "memref.subview"(%102, %42, %108) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<128x64xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %112 = "arith.addi"(%42, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %113 = "arith.cmpi"(%112, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %114 = "arith.subi"(%0, %42) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %115 = "arith.select"(%113, %114, %112) : (i1, index, index) -> index
      %116 = "arith.divsi"(%115, %2) : (index, index) -> index
      %117 = "arith.subi"(%9, %116) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %118 = "arith.select"(%113, %117, %116) : (i1, index, index) -> index
      %119 = "arith.addi"(%108, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %120 = "arith.cmpi"(%119, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %121 = "arith.subi"(%0, %108) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %122 = "arith.select"(%120, %121, %119) : (i1, index, index) -> index
      %123 = "arith.divsi"(%122, %2) : (index, index) -> index
      %124 = "arith.subi"(%9, %123) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %125 = "arith.select"(%120, %124, %123) : (i1, index, index) -> index
      %126 = "memref.subview"(%98, %125, %118) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x8x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[2048, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %127 = "memref.cast"(%126) : (memref<?x?x16x16xf16, strided<[2048, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%110) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %145 = "memref.collapse_shape"(%98) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x8x16x16xf16, #hivm.address_space<cbuf>>) -> memref<8192xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%15, %145) <{broadcast_dims = array<i64>}> : (f16, memref<8192xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%96) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%111, %127) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %128 = "arith.muli"(%99, %44) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %129 = "arith.addi"(%45, %128) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %130 = "memref.reinterpret_cast"(%arg4, %129, %44) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<64x128xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %131 = "memref.cast"(%97) : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %132 = "arith.ori"(%109, %51) : (i1, i1) -> i1
      %133 = "memref.subview"(%130, %108, %50) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x128xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %134 = "arith.addi"(%50, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %135 = "arith.cmpi"(%134, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %136 = "arith.subi"(%0, %50) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %137 = "arith.select"(%135, %136, %134) : (i1, index, index) -> index
      %138 = "arith.divsi"(%137, %2) : (index, index) -> index
      %139 = "arith.subi"(%9, %138) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %140 = "arith.select"(%135, %139, %138) : (i1, index, index) -> index
      %141 = "memref.subview"(%97, %140, %125) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %142 = "memref.cast"(%141) : (memref<?x?x16x16xf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%132) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %144 = "memref.collapse_shape"(%97) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<8192xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%15, %144) <{broadcast_dims = array<i64>}> : (f16, memref<8192xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%94) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%133, %142) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %143 = "arith.cmpi"(%arg12, %20) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%103, %131, %143, %42, %108, %50, %53, %10, %11, %96, %94, %81, %1, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %54 = "arith.muli"(%35, %44) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %55 = "arith.addi"(%45, %54) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %56 = "memref.reinterpret_cast"(%arg5, %55, %44) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<128x128xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %57 = "arith.addi"(%42, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %58 = "arith.cmpi"(%57, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %59 = "arith.subi"(%0, %42) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %60 = "arith.select"(%58, %59, %57) : (i1, index, index) -> index
    %61 = "arith.divsi"(%60, %2) : (index, index) -> index
    %62 = "arith.subi"(%9, %61) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %63 = "arith.select"(%58, %62, %61) : (i1, index, index) -> index
    %64 = "arith.addi"(%50, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %65 = "arith.cmpi"(%64, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %66 = "arith.subi"(%0, %50) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %67 = "arith.select"(%65, %66, %64) : (i1, index, index) -> index
    %68 = "arith.divsi"(%67, %2) : (index, index) -> index
    %69 = "arith.subi"(%9, %68) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %70 = "arith.select"(%65, %69, %68) : (i1, index, index) -> index
    %71 = "memref.subview"(%52, %70, %63) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x8x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[2048, 256, 16, 1]>, #hivm.address_space<cc>>
    %72 = "memref.cast"(%71) : (memref<?x?x16x16xf32, strided<[2048, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %73 = "memref.subview"(%56, %42, %50) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<128x128xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%72, %73) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()

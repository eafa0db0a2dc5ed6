// examples/triton/products.py, matmul: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_infer_task_type_function"}> ({
    %154 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%154) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = -8 : index}> : () -> index
    %1 = "arith.constant"() <{value = -16 : index}> : () -> index
    %2 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 8 : index}> : () -> index
    %4 = "arith.constant"() <{value = 7 : index}> : () -> index
    %5 = "arith.constant"() <{value = 16 : index}> : () -> index
    %6 = "arith.constant"() <{value = 15 : index}> : () -> index
    %7 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 2 : index}> : () -> index
    %11 = "arith.constant"() <{value = 0 : index}> : () -> index
    %12 = "arith.constant"() <{value = -1 : index}> : () -> index
    %13 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 64 : index}> : () -> index
    %19 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %20 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %21 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %22 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    "hivm.hir.set_mask_norm"() : () -> ()
    %23 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %24 = "arith.muli"(%23, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%24) {logical_block_num} : (i32) -> ()
    %25 = "hivm.hir.get_block_idx"() : () -> i64
    %26 = "arith.trunci"(%25) : (i64) -> i32
    %27 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %28 = "arith.divsi"(%26, %27) : (i32, i32) -> i32
    %29 = "arith.remsi"(%28, %arg9) : (i32, i32) -> i32
    %30 = "arith.addi"(%arg7, %19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %31 = "arith.divsi"(%30, %20) : (i32, i32) -> i32
    %32 = "arith.divsi"(%29, %31) : (i32, i32) -> i32
    %33 = "arith.muli"(%32, %20) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %34 = "arith.remsi"(%29, %31) : (i32, i32) -> i32
    %35 = "arith.muli"(%34, %20) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %36 = "arith.index_cast"(%33) : (i32) -> index
    %37 = "arith.index_cast"(%arg8) : (i32) -> index
    %38 = "arith.index_cast"(%arg6) : (i32) -> index
    %39 = "arith.maxsi"(%38, %36) : (index, index) -> index
    %40 = "arith.addi"(%36, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %41 = "arith.minsi"(%40, %39) : (index, index) -> index
    %42 = "arith.subi"(%41, %36) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %43 = "arith.minsi"(%42, %18) : (index, index) -> index
    %44 = "arith.cmpi"(%43, %18) <{predicate = 2 : i64}> : (index, index) -> i1
    %45 = "arith.index_cast"(%arg7) : (i32) -> index
    %46 = "arith.index_cast"(%35) : (i32) -> index
    %47 = "arith.maxsi"(%45, %46) : (index, index) -> index
    %48 = "arith.addi"(%46, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %49 = "arith.minsi"(%48, %47) : (index, index) -> index
    %50 = "arith.subi"(%49, %46) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %51 = "arith.minsi"(%50, %18) : (index, index) -> index
    %52 = "arith.cmpi"(%51, %18) <{predicate = 2 : i64}> : (index, index) -> i1
    %53 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
    %54 = "memref.cast"(%53) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%21, %arg8, %20) ({
    ^bb0(%arg12: i32):
      %75 = "arith.index_cast"(%arg12) : (i32) -> index
      %76 = "arith.cmpi"(%75, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %77 = "arith.subi"(%12, %75) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %78 = "arith.select"(%76, %77, %75) : (i1, index, index) -> index
      %79 = "arith.divsi"(%78, %18) : (index, index) -> index
      %80 = "arith.subi"(%12, %79) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %81 = "arith.select"(%76, %80, %79) : (i1, index, index) -> index
      %82 = "arith.index_cast"(%81) : (index) -> i64
      %83 = "arith.index_cast"(%arg12) : (i32) -> index
      %84 = "arith.cmpi"(%83, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %85 = "arith.subi"(%12, %83) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %86 = "arith.select"(%84, %85, %83) : (i1, index, index) -> index
      %87 = "arith.divsi"(%86, %18) : (index, index) -> index
      %88 = "arith.subi"(%12, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %89 = "arith.select"(%84, %88, %87) : (i1, index, index) -> index
      %90 = "arith.remsi"(%89, %10) : (index, index) -> index
      %91 = "arith.cmpi"(%90, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %92 = "arith.addi"(%90, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %93 = "arith.select"(%91, %92, %90) : (i1, index, index) -> index
      %94 = "arith.index_cast"(%93) : (index) -> i1
      %95 = "arith.select"(%94, %9, %8) : (i1, i64, i64) -> i64
      %96 = "arith.index_cast"(%93) : (index) -> i1
      %97 = "arith.select"(%96, %14, %7) : (i1, i64, i64) -> i64
      %98 = "hivm.hir.pointer_cast"(%16, %15) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%98) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %99 = "hivm.hir.pointer_cast"(%13, %17) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%99) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %100 = "arith.index_cast"(%arg12) : (i32) -> index
      %101 = "arith.muli"(%36, %37) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %102 = "arith.addi"(%100, %101) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %103 = "memref.reinterpret_cast"(%arg3, %102, %37) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %104 = "memref.cast"(%99) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %105 = "arith.maxsi"(%37, %100) : (index, index) -> index
      %106 = "arith.addi"(%100, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %107 = "arith.minsi"(%106, %105) : (index, index) -> index
      %108 = "arith.subi"(%107, %100) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %109 = "arith.minsi"(%108, %18) : (index, index) -> index
      %110 = "arith.cmpi"(%109, %18) <{predicate = 2 : i64}> : (index, index) -> i1
      %111 = "arith.ori"(%44, %110) : (i1, i1) -> i1
      %112 = "memref.subview"(%103, %43, %109) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %113 = "arith.addi"(%43, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %114 = "arith.cmpi"(%113, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %115 = "arith.subi"(%1, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %116 = "arith.select"(%114, %115, %113) : (i1, index, index) -> index
      %117 = "arith.divsi"(%116, %5) : (index, index) -> index
      %118 = "arith.subi"(%12, %117) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %119 = "arith.select"(%114, %118, %117) : (i1, index, index) -> index
      %120 = "arith.addi"(%109, %4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %121 = "arith.cmpi"(%120, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %122 = "arith.subi"(%0, %109) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %123 = "arith.select"(%121, %122, %120) : (i1, index, index) -> index
      %124 = "arith.divsi"(%123, %3) : (index, index) -> index
      %125 = "arith.subi"(%12, %124) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %126 = "arith.select"(%121, %125, %124) : (i1, index, index) -> index
      %127 = "memref.subview"(%99, %126, %119) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %128 = "memref.cast"(%127) : (memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%111) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %153 = "memref.collapse_shape"(%99) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%22, %153) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%97) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%112, %128) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %129 = "arith.muli"(%100, %45) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %130 = "arith.addi"(%46, %129) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %131 = "memref.reinterpret_cast"(%arg4, %130, %45) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %132 = "memref.cast"(%98) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %133 = "arith.ori"(%110, %52) : (i1, i1) -> i1
      %134 = "memref.subview"(%131, %109, %51) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %135 = "arith.addi"(%109, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %136 = "arith.cmpi"(%135, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %137 = "arith.subi"(%1, %109) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %138 = "arith.select"(%136, %137, %135) : (i1, index, index) -> index
      %139 = "arith.divsi"(%138, %5) : (index, index) -> index
      %140 = "arith.subi"(%12, %139) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %141 = "arith.select"(%136, %140, %139) : (i1, index, index) -> index
      %142 = "arith.addi"(%51, %4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %143 = "arith.cmpi"(%142, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %144 = "arith.subi"(%0, %51) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %145 = "arith.select"(%143, %144, %142) : (i1, index, index) -> index
      %146 = "arith.divsi"(%145, %3) : (index, index) -> index
      %147 = "arith.subi"(%12, %146) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %148 = "arith.select"(%143, %147, %146) : (i1, index, index) -> index
      %149 = "memref.subview"(%98, %148, %141) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %150 = "memref.cast"(%149) : (memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%133) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %152 = "memref.collapse_shape"(%98) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%22, %152) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%95) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%134, %150) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %151 = "arith.cmpi"(%arg12, %21) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%104, %132, %151, %43, %109, %51, %54, %13, %14, %97, %95, %82, %2, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %55 = "arith.muli"(%36, %45) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %56 = "arith.addi"(%46, %55) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %57 = "memref.reinterpret_cast"(%arg5, %56, %45) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %58 = "arith.addi"(%43, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %59 = "arith.cmpi"(%58, %11) <{predicate = 2 : i64}> : (index, index) -> i1
    %60 = "arith.subi"(%1, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %61 = "arith.select"(%59, %60, %58) : (i1, index, index) -> index
    %62 = "arith.divsi"(%61, %5) : (index, index) -> index
    %63 = "arith.subi"(%12, %62) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %64 = "arith.select"(%59, %63, %62) : (i1, index, index) -> index
    %65 = "arith.addi"(%51, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %66 = "arith.cmpi"(%65, %11) <{predicate = 2 : i64}> : (index, index) -> i1
    %67 = "arith.subi"(%1, %51) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %68 = "arith.select"(%66, %67, %65) : (i1, index, index) -> index
    %69 = "arith.divsi"(%68, %5) : (index, index) -> index
    %70 = "arith.subi"(%12, %69) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %71 = "arith.select"(%66, %70, %69) : (i1, index, index) -> index
    %72 = "memref.subview"(%53, %71, %64) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>
    %73 = "memref.cast"(%72) : (memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %74 = "memref.subview"(%57, %43, %51) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%73, %74) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()

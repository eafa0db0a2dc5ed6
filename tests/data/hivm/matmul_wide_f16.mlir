// examples/triton/products.py, matmul: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_infer_task_type_function"}> ({
    %148 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%148) : (i8) -> ()
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
    %12 = "arith.constant"() <{value = 98304 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 81920 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 256 : index}> : () -> index
    %16 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %17 = "arith.constant"() <{value = 128 : index}> : () -> index
    %18 = "arith.constant"() <{value = 64 : index}> : () -> index
    %19 = "arith.constant"() <{value = 255 : i32}> : () -> i32
    %20 = "arith.constant"() <{value = 256 : i32}> : () -> i32
    %21 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %22 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %23 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %24 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %25 = "arith.muli"(%24, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%25) {logical_block_num} : (i32) -> ()
    %26 = "hivm.hir.get_block_idx"() : () -> i64
    %27 = "arith.trunci"(%26) : (i64) -> i32
    %28 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %29 = "arith.divsi"(%27, %28) : (i32, i32) -> i32
    %30 = "arith.remsi"(%29, %arg9) : (i32, i32) -> i32
    %31 = "arith.addi"(%arg7, %19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %32 = "arith.divsi"(%31, %20) : (i32, i32) -> i32
    %33 = "arith.divsi"(%30, %32) : (i32, i32) -> i32
    %34 = "arith.muli"(%33, %21) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %35 = "arith.remsi"(%30, %32) : (i32, i32) -> i32
    %36 = "arith.muli"(%35, %20) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %37 = "arith.index_cast"(%34) : (i32) -> index
    %38 = "arith.index_cast"(%arg8) : (i32) -> index
    %39 = "arith.index_cast"(%arg6) : (i32) -> index
    %40 = "arith.maxsi"(%39, %37) : (index, index) -> index
    %41 = "arith.addi"(%37, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %42 = "arith.minsi"(%41, %40) : (index, index) -> index
    %43 = "arith.subi"(%42, %37) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %44 = "arith.minsi"(%43, %18) : (index, index) -> index
    %45 = "arith.cmpi"(%44, %18) <{predicate = 2 : i64}> : (index, index) -> i1
    %46 = "arith.index_cast"(%arg7) : (i32) -> index
    %47 = "arith.index_cast"(%36) : (i32) -> index
    %48 = "arith.maxsi"(%46, %47) : (index, index) -> index
    %49 = "arith.addi"(%47, %15) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %50 = "arith.minsi"(%49, %48) : (index, index) -> index
    %51 = "arith.subi"(%50, %47) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %52 = "arith.minsi"(%51, %15) : (index, index) -> index
    %53 = "arith.cmpi"(%52, %15) <{predicate = 2 : i64}> : (index, index) -> i1
    %54 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x4x16x16xf32, #hivm.address_space<cc>>
    %55 = "memref.cast"(%54) : (memref<16x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%22, %arg8, %23) ({
    ^bb0(%arg12: i32):
      %76 = "arith.index_cast"(%arg12) : (i32) -> index
      %77 = "arith.cmpi"(%76, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %78 = "arith.subi"(%9, %76) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %79 = "arith.select"(%77, %78, %76) : (i1, index, index) -> index
      %80 = "arith.divsi"(%79, %17) : (index, index) -> index
      %81 = "arith.subi"(%9, %80) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %82 = "arith.select"(%77, %81, %80) : (i1, index, index) -> index
      %83 = "arith.index_cast"(%82) : (index) -> i64
      %84 = "arith.index_cast"(%arg12) : (i32) -> index
      %85 = "arith.cmpi"(%84, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %86 = "arith.subi"(%9, %84) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %87 = "arith.select"(%85, %86, %84) : (i1, index, index) -> index
      %88 = "arith.divsi"(%87, %17) : (index, index) -> index
      %89 = "arith.subi"(%9, %88) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %90 = "arith.select"(%85, %89, %88) : (i1, index, index) -> index
      %91 = "arith.remsi"(%90, %7) : (index, index) -> index
      %92 = "arith.cmpi"(%91, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %93 = "arith.addi"(%91, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %94 = "arith.select"(%92, %93, %91) : (i1, index, index) -> index
      %95 = "arith.index_cast"(%94) : (index) -> i1
      %96 = "arith.select"(%95, %6, %5) : (i1, i64, i64) -> i64
      %97 = "arith.index_cast"(%94) : (index) -> i1
      %98 = "arith.select"(%97, %11, %4) : (i1, i64, i64) -> i64
      %99 = "hivm.hir.pointer_cast"(%13, %12) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<16x8x16x16xf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%99) {hivm.multi_buffer = 2 : i32} : (memref<16x8x16x16xf16, #hivm.address_space<cbuf>>) -> ()
      %100 = "hivm.hir.pointer_cast"(%10, %14) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x16xf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%100) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>) -> ()
      %101 = "arith.index_cast"(%arg12) : (i32) -> index
      %102 = "arith.muli"(%37, %38) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %103 = "arith.addi"(%101, %102) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %104 = "memref.reinterpret_cast"(%arg3, %103, %38) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<64x128xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %105 = "memref.cast"(%100) : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %106 = "arith.maxsi"(%38, %101) : (index, index) -> index
      %107 = "arith.addi"(%101, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %108 = "arith.minsi"(%107, %106) : (index, index) -> index
      %109 = "arith.subi"(%108, %101) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %110 = "arith.minsi"(%109, %17) : (index, index) -> index
      %111 = "arith.cmpi"(%110, %17) <{predicate = 2 : i64}> : (index, index) -> i1
      %112 = "arith.ori"(%45, %111) : (i1, i1) -> i1
      %113 = "memref.subview"(%104, %44, %110) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x128xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %114 = "arith.addi"(%44, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %115 = "arith.cmpi"(%114, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %116 = "arith.subi"(%0, %44) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %117 = "arith.select"(%115, %116, %114) : (i1, index, index) -> index
      %118 = "arith.divsi"(%117, %2) : (index, index) -> index
      %119 = "arith.subi"(%9, %118) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %120 = "arith.select"(%115, %119, %118) : (i1, index, index) -> index
      %121 = "arith.addi"(%110, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %122 = "arith.cmpi"(%121, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %123 = "arith.subi"(%0, %110) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %124 = "arith.select"(%122, %123, %121) : (i1, index, index) -> index
      %125 = "arith.divsi"(%124, %2) : (index, index) -> index
      %126 = "arith.subi"(%9, %125) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %127 = "arith.select"(%122, %126, %125) : (i1, index, index) -> index
      %128 = "memref.subview"(%100, %127, %120) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %129 = "memref.cast"(%128) : (memref<?x?x16x16xf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%112) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %147 = "memref.collapse_shape"(%100) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>) -> memref<8192xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%16, %147) <{broadcast_dims = array<i64>}> : (f16, memref<8192xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%98) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%113, %129) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %130 = "arith.muli"(%101, %46) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %131 = "arith.addi"(%47, %130) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %132 = "memref.reinterpret_cast"(%arg4, %131, %46) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128, 256>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<128x256xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %133 = "memref.cast"(%99) : (memref<16x8x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %134 = "arith.ori"(%111, %53) : (i1, i1) -> i1
      %135 = "memref.subview"(%132, %110, %52) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<128x256xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %136 = "arith.addi"(%52, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %137 = "arith.cmpi"(%136, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %138 = "arith.subi"(%0, %52) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %139 = "arith.select"(%137, %138, %136) : (i1, index, index) -> index
      %140 = "arith.divsi"(%139, %2) : (index, index) -> index
      %141 = "arith.subi"(%9, %140) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %142 = "arith.select"(%137, %141, %140) : (i1, index, index) -> index
      %143 = "memref.subview"(%99, %142, %127) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<16x8x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[2048, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %144 = "memref.cast"(%143) : (memref<?x?x16x16xf16, strided<[2048, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%134) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %146 = "memref.collapse_shape"(%99) <{reassociation = [[0, 1, 2, 3]]}> : (memref<16x8x16x16xf16, #hivm.address_space<cbuf>>) -> memref<32768xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%16, %146) <{broadcast_dims = array<i64>}> : (f16, memref<32768xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%96) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%135, %144) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %145 = "arith.cmpi"(%arg12, %22) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%105, %133, %145, %44, %110, %52, %55, %10, %11, %98, %96, %83, %1, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %56 = "arith.muli"(%37, %46) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %57 = "arith.addi"(%47, %56) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %58 = "memref.reinterpret_cast"(%arg5, %57, %46) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 256>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<64x256xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %59 = "arith.addi"(%44, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %60 = "arith.cmpi"(%59, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %61 = "arith.subi"(%0, %44) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %62 = "arith.select"(%60, %61, %59) : (i1, index, index) -> index
    %63 = "arith.divsi"(%62, %2) : (index, index) -> index
    %64 = "arith.subi"(%9, %63) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %65 = "arith.select"(%60, %64, %63) : (i1, index, index) -> index
    %66 = "arith.addi"(%52, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %67 = "arith.cmpi"(%66, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %68 = "arith.subi"(%0, %52) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %69 = "arith.select"(%67, %68, %66) : (i1, index, index) -> index
    %70 = "arith.divsi"(%69, %2) : (index, index) -> index
    %71 = "arith.subi"(%9, %70) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %72 = "arith.select"(%67, %71, %70) : (i1, index, index) -> index
    %73 = "memref.subview"(%54, %72, %65) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<16x4x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>
    %74 = "memref.cast"(%73) : (memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %75 = "memref.subview"(%58, %44, %52) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x256xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%74, %75) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()

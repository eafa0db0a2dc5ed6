// examples/triton/products.py, matmul: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_infer_task_type_function"}> ({
    %144 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%144) : (i8) -> ()
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
    %12 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %16 = "arith.constant"() <{value = 32 : index}> : () -> index
    %17 = "arith.constant"() <{value = 31 : i32}> : () -> i32
    %18 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %19 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %20 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %21 = "arith.muli"(%20, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%21) {logical_block_num} : (i32) -> ()
    %22 = "hivm.hir.get_block_idx"() : () -> i64
    %23 = "arith.trunci"(%22) : (i64) -> i32
    %24 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %25 = "arith.divsi"(%23, %24) : (i32, i32) -> i32
    %26 = "arith.remsi"(%25, %arg9) : (i32, i32) -> i32
    %27 = "arith.addi"(%arg7, %17) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %28 = "arith.divsi"(%27, %18) : (i32, i32) -> i32
    %29 = "arith.divsi"(%26, %28) : (i32, i32) -> i32
    %30 = "arith.muli"(%29, %18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %31 = "arith.remsi"(%26, %28) : (i32, i32) -> i32
    %32 = "arith.muli"(%31, %18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.index_cast"(%30) : (i32) -> index
    %34 = "arith.index_cast"(%arg8) : (i32) -> index
    %35 = "arith.index_cast"(%arg6) : (i32) -> index
    %36 = "arith.maxsi"(%35, %33) : (index, index) -> index
    %37 = "arith.addi"(%33, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %38 = "arith.minsi"(%37, %36) : (index, index) -> index
    %39 = "arith.subi"(%38, %33) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %40 = "arith.minsi"(%39, %16) : (index, index) -> index
    %41 = "arith.cmpi"(%40, %16) <{predicate = 2 : i64}> : (index, index) -> i1
    %42 = "arith.index_cast"(%arg7) : (i32) -> index
    %43 = "arith.index_cast"(%32) : (i32) -> index
    %44 = "arith.maxsi"(%42, %43) : (index, index) -> index
    %45 = "arith.addi"(%43, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %46 = "arith.minsi"(%45, %44) : (index, index) -> index
    %47 = "arith.subi"(%46, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %48 = "arith.minsi"(%47, %16) : (index, index) -> index
    %49 = "arith.cmpi"(%48, %16) <{predicate = 2 : i64}> : (index, index) -> i1
    %50 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
    %51 = "memref.cast"(%50) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%19, %arg8, %18) ({
    ^bb0(%arg12: i32):
      %72 = "arith.index_cast"(%arg12) : (i32) -> index
      %73 = "arith.cmpi"(%72, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %74 = "arith.subi"(%9, %72) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %75 = "arith.select"(%73, %74, %72) : (i1, index, index) -> index
      %76 = "arith.divsi"(%75, %16) : (index, index) -> index
      %77 = "arith.subi"(%9, %76) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %78 = "arith.select"(%73, %77, %76) : (i1, index, index) -> index
      %79 = "arith.index_cast"(%78) : (index) -> i64
      %80 = "arith.index_cast"(%arg12) : (i32) -> index
      %81 = "arith.cmpi"(%80, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %82 = "arith.subi"(%9, %80) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %83 = "arith.select"(%81, %82, %80) : (i1, index, index) -> index
      %84 = "arith.divsi"(%83, %16) : (index, index) -> index
      %85 = "arith.subi"(%9, %84) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %86 = "arith.select"(%81, %85, %84) : (i1, index, index) -> index
      %87 = "arith.remsi"(%86, %7) : (index, index) -> index
      %88 = "arith.cmpi"(%87, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %89 = "arith.addi"(%87, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %90 = "arith.select"(%88, %89, %87) : (i1, index, index) -> index
      %91 = "arith.index_cast"(%90) : (index) -> i1
      %92 = "arith.select"(%91, %6, %5) : (i1, i64, i64) -> i64
      %93 = "arith.index_cast"(%90) : (index) -> i1
      %94 = "arith.select"(%93, %11, %4) : (i1, i64, i64) -> i64
      %95 = "hivm.hir.pointer_cast"(%13, %12) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%95) {hivm.multi_buffer = 2 : i32} : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> ()
      %96 = "hivm.hir.pointer_cast"(%10, %14) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%96) {hivm.multi_buffer = 2 : i32} : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> ()
      %97 = "arith.index_cast"(%arg12) : (i32) -> index
      %98 = "arith.muli"(%33, %34) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %99 = "arith.addi"(%97, %98) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %100 = "memref.reinterpret_cast"(%arg3, %99, %34) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %101 = "memref.cast"(%96) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %102 = "arith.maxsi"(%34, %97) : (index, index) -> index
      %103 = "arith.addi"(%97, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %104 = "arith.minsi"(%103, %102) : (index, index) -> index
      %105 = "arith.subi"(%104, %97) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %106 = "arith.minsi"(%105, %16) : (index, index) -> index
      %107 = "arith.cmpi"(%106, %16) <{predicate = 2 : i64}> : (index, index) -> i1
      %108 = "arith.ori"(%41, %107) : (i1, i1) -> i1
      %109 = "memref.subview"(%100, %40, %106) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %110 = "arith.addi"(%40, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %111 = "arith.cmpi"(%110, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %112 = "arith.subi"(%0, %40) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %113 = "arith.select"(%111, %112, %110) : (i1, index, index) -> index
      %114 = "arith.divsi"(%113, %2) : (index, index) -> index
      %115 = "arith.subi"(%9, %114) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %116 = "arith.select"(%111, %115, %114) : (i1, index, index) -> index
      %117 = "arith.addi"(%106, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %118 = "arith.cmpi"(%117, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %119 = "arith.subi"(%0, %106) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %120 = "arith.select"(%118, %119, %117) : (i1, index, index) -> index
      %121 = "arith.divsi"(%120, %2) : (index, index) -> index
      %122 = "arith.subi"(%9, %121) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %123 = "arith.select"(%118, %122, %121) : (i1, index, index) -> index
      %124 = "memref.subview"(%96, %123, %116) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %125 = "memref.cast"(%124) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%108) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %143 = "memref.collapse_shape"(%96) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%15, %143) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%94) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%109, %125) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %126 = "arith.muli"(%97, %42) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %127 = "arith.addi"(%43, %126) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %128 = "memref.reinterpret_cast"(%arg4, %127, %42) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %129 = "memref.cast"(%95) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
      %130 = "arith.ori"(%107, %49) : (i1, i1) -> i1
      %131 = "memref.subview"(%128, %106, %48) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %132 = "arith.addi"(%48, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %133 = "arith.cmpi"(%132, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %134 = "arith.subi"(%0, %48) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %135 = "arith.select"(%133, %134, %132) : (i1, index, index) -> index
      %136 = "arith.divsi"(%135, %2) : (index, index) -> index
      %137 = "arith.subi"(%9, %136) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %138 = "arith.select"(%133, %137, %136) : (i1, index, index) -> index
      %139 = "memref.subview"(%95, %138, %123) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %140 = "memref.cast"(%139) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%130) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %142 = "memref.collapse_shape"(%95) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%15, %142) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%92) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%131, %140) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %141 = "arith.cmpi"(%arg12, %19) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%101, %129, %141, %40, %106, %48, %51, %10, %11, %94, %92, %79, %1, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %52 = "arith.muli"(%33, %42) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %53 = "arith.addi"(%43, %52) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %54 = "memref.reinterpret_cast"(%arg5, %53, %42) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %55 = "arith.addi"(%40, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %56 = "arith.cmpi"(%55, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %57 = "arith.subi"(%0, %40) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %58 = "arith.select"(%56, %57, %55) : (i1, index, index) -> index
    %59 = "arith.divsi"(%58, %2) : (index, index) -> index
    %60 = "arith.subi"(%9, %59) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %61 = "arith.select"(%56, %60, %59) : (i1, index, index) -> index
    %62 = "arith.addi"(%48, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %63 = "arith.cmpi"(%62, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %64 = "arith.subi"(%0, %48) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %65 = "arith.select"(%63, %64, %62) : (i1, index, index) -> index
    %66 = "arith.divsi"(%65, %2) : (index, index) -> index
    %67 = "arith.subi"(%9, %66) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %68 = "arith.select"(%63, %67, %66) : (i1, index, index) -> index
    %69 = "memref.subview"(%50, %68, %61) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>
    %70 = "memref.cast"(%69) : (memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %71 = "memref.subview"(%54, %40, %48) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%70, %71) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()

// examples/triton/products.py, batched_matmul: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "batched_matmul_infer_task_type_function"}> ({
    %157 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%157) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "batched_matmul"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: memref<?xbf16, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
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
    %12 = "arith.constant"() <{value = 24576 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %16 = "arith.constant"() <{value = 64 : index}> : () -> index
    %17 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %18 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %19 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %20 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %21 = "arith.muli"(%20, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%21) {logical_block_num} : (i32) -> ()
    %22 = "hivm.hir.get_block_idx"() : () -> i64
    %23 = "arith.trunci"(%22) : (i64) -> i32
    %24 = "arith.divsi"(%23, %arg11) : (i32, i32) -> i32
    %25 = "arith.remsi"(%24, %arg10) : (i32, i32) -> i32
    %26 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %27 = "arith.divsi"(%23, %26) : (i32, i32) -> i32
    %28 = "arith.remsi"(%27, %arg9) : (i32, i32) -> i32
    %29 = "arith.addi"(%arg7, %18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %30 = "arith.divsi"(%29, %17) : (i32, i32) -> i32
    %31 = "arith.divsi"(%28, %30) : (i32, i32) -> i32
    %32 = "arith.muli"(%31, %17) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.remsi"(%28, %30) : (i32, i32) -> i32
    %34 = "arith.muli"(%33, %17) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %35 = "arith.muli"(%25, %arg6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %36 = "arith.muli"(%35, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %37 = "arith.index_cast"(%36) : (i32) -> index
    %38 = "arith.index_cast"(%32) : (i32) -> index
    %39 = "arith.index_cast"(%arg8) : (i32) -> index
    %40 = "arith.muli"(%25, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %41 = "arith.muli"(%40, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %42 = "arith.index_cast"(%41) : (i32) -> index
    %43 = "arith.index_cast"(%arg6) : (i32) -> index
    %44 = "arith.maxsi"(%43, %38) : (index, index) -> index
    %45 = "arith.addi"(%38, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %46 = "arith.minsi"(%45, %44) : (index, index) -> index
    %47 = "arith.subi"(%46, %38) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %48 = "arith.minsi"(%47, %16) : (index, index) -> index
    %49 = "arith.cmpi"(%48, %16) <{predicate = 2 : i64}> : (index, index) -> i1
    %50 = "arith.index_cast"(%arg7) : (i32) -> index
    %51 = "arith.index_cast"(%34) : (i32) -> index
    %52 = "arith.maxsi"(%50, %51) : (index, index) -> index
    %53 = "arith.addi"(%51, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %54 = "arith.minsi"(%53, %52) : (index, index) -> index
    %55 = "arith.subi"(%54, %51) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %56 = "arith.minsi"(%55, %16) : (index, index) -> index
    %57 = "arith.cmpi"(%56, %16) <{predicate = 2 : i64}> : (index, index) -> i1
    %58 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
    %59 = "memref.cast"(%58) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%19, %arg8, %17) ({
    ^bb0(%arg12: i32):
      %83 = "arith.index_cast"(%arg12) : (i32) -> index
      %84 = "arith.cmpi"(%83, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %85 = "arith.subi"(%9, %83) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %86 = "arith.select"(%84, %85, %83) : (i1, index, index) -> index
      %87 = "arith.divsi"(%86, %16) : (index, index) -> index
      %88 = "arith.subi"(%9, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %89 = "arith.select"(%84, %88, %87) : (i1, index, index) -> index
      %90 = "arith.index_cast"(%89) : (index) -> i64
      %91 = "arith.index_cast"(%arg12) : (i32) -> index
      %92 = "arith.cmpi"(%91, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %93 = "arith.subi"(%9, %91) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %94 = "arith.select"(%92, %93, %91) : (i1, index, index) -> index
      %95 = "arith.divsi"(%94, %16) : (index, index) -> index
      %96 = "arith.subi"(%9, %95) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %97 = "arith.select"(%92, %96, %95) : (i1, index, index) -> index
      %98 = "arith.remsi"(%97, %7) : (index, index) -> index
      %99 = "arith.cmpi"(%98, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %100 = "arith.addi"(%98, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %101 = "arith.select"(%99, %100, %98) : (i1, index, index) -> index
      %102 = "arith.index_cast"(%101) : (index) -> i1
      %103 = "arith.select"(%102, %6, %5) : (i1, i64, i64) -> i64
      %104 = "arith.index_cast"(%101) : (index) -> i1
      %105 = "arith.select"(%104, %11, %4) : (i1, i64, i64) -> i64
      %106 = "hivm.hir.pointer_cast"(%13, %12) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%106) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %107 = "hivm.hir.pointer_cast"(%10, %14) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%107) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %108 = "arith.index_cast"(%arg12) : (i32) -> index
      %109 = "arith.addi"(%108, %37) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %110 = "arith.muli"(%38, %39) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %111 = "arith.addi"(%109, %110) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %112 = "memref.reinterpret_cast"(%arg3, %111, %39) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %113 = "memref.cast"(%107) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %114 = "arith.maxsi"(%39, %108) : (index, index) -> index
      %115 = "arith.addi"(%108, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %116 = "arith.minsi"(%115, %114) : (index, index) -> index
      %117 = "arith.subi"(%116, %108) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %118 = "arith.minsi"(%117, %16) : (index, index) -> index
      %119 = "arith.cmpi"(%118, %16) <{predicate = 2 : i64}> : (index, index) -> i1
      %120 = "arith.ori"(%49, %119) : (i1, i1) -> i1
      %121 = "memref.subview"(%112, %48, %118) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %122 = "arith.addi"(%48, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %123 = "arith.cmpi"(%122, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %124 = "arith.subi"(%0, %48) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %125 = "arith.select"(%123, %124, %122) : (i1, index, index) -> index
      %126 = "arith.divsi"(%125, %2) : (index, index) -> index
      %127 = "arith.subi"(%9, %126) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %128 = "arith.select"(%123, %127, %126) : (i1, index, index) -> index
      %129 = "arith.addi"(%118, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %130 = "arith.cmpi"(%129, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %131 = "arith.subi"(%0, %118) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %132 = "arith.select"(%130, %131, %129) : (i1, index, index) -> index
      %133 = "arith.divsi"(%132, %2) : (index, index) -> index
      %134 = "arith.subi"(%9, %133) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %135 = "arith.select"(%130, %134, %133) : (i1, index, index) -> index
      %136 = "memref.subview"(%107, %135, %128) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %137 = "memref.cast"(%136) : (memref<?x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%120) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %156 = "memref.collapse_shape"(%107) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%15, %156) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%105) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%121, %137) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %138 = "arith.addi"(%51, %42) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %139 = "arith.muli"(%108, %50) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %140 = "arith.addi"(%138, %139) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %141 = "memref.reinterpret_cast"(%arg4, %140, %50) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %142 = "memref.cast"(%106) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %143 = "arith.ori"(%119, %57) : (i1, i1) -> i1
      %144 = "memref.subview"(%141, %118, %56) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %145 = "arith.addi"(%56, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %146 = "arith.cmpi"(%145, %8) <{predicate = 2 : i64}> : (index, index) -> i1
      %147 = "arith.subi"(%0, %56) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %148 = "arith.select"(%146, %147, %145) : (i1, index, index) -> index
      %149 = "arith.divsi"(%148, %2) : (index, index) -> index
      %150 = "arith.subi"(%9, %149) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %151 = "arith.select"(%146, %150, %149) : (i1, index, index) -> index
      %152 = "memref.subview"(%106, %151, %135) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %153 = "memref.cast"(%152) : (memref<?x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%143) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %155 = "memref.collapse_shape"(%106) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%15, %155) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%103) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%144, %153) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %154 = "arith.cmpi"(%arg12, %19) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%113, %142, %154, %48, %118, %56, %59, %10, %11, %105, %103, %90, %1, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %60 = "arith.muli"(%35, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %61 = "arith.index_cast"(%60) : (i32) -> index
    %62 = "arith.addi"(%51, %61) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %63 = "arith.muli"(%38, %50) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %64 = "arith.addi"(%62, %63) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %65 = "memref.reinterpret_cast"(%arg5, %64, %50) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %66 = "arith.addi"(%48, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %67 = "arith.cmpi"(%66, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %68 = "arith.subi"(%0, %48) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %69 = "arith.select"(%67, %68, %66) : (i1, index, index) -> index
    %70 = "arith.divsi"(%69, %2) : (index, index) -> index
    %71 = "arith.subi"(%9, %70) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %72 = "arith.select"(%67, %71, %70) : (i1, index, index) -> index
    %73 = "arith.addi"(%56, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %74 = "arith.cmpi"(%73, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %75 = "arith.subi"(%0, %56) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %76 = "arith.select"(%74, %75, %73) : (i1, index, index) -> index
    %77 = "arith.divsi"(%76, %2) : (index, index) -> index
    %78 = "arith.subi"(%9, %77) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %79 = "arith.select"(%74, %78, %77) : (i1, index, index) -> index
    %80 = "memref.subview"(%58, %79, %72) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>
    %81 = "memref.cast"(%80) : (memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %82 = "memref.subview"(%65, %48, %56) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%81, %82) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, pre_quant = #hivm.fixpipe_pre_quant_mode<F322BF16>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()

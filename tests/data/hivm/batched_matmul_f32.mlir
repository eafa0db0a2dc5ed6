// examples/triton/products.py, batched_matmul: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "batched_matmul_infer_task_type_function"}> ({
    %167 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%167) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "batched_matmul"}> ({
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
    %19 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %20 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %21 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %22 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    "hivm.hir.set_mask_norm"() : () -> ()
    %23 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %24 = "arith.muli"(%23, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%24) {logical_block_num} : (i32) -> ()
    %25 = "hivm.hir.get_block_idx"() : () -> i64
    %26 = "arith.trunci"(%25) : (i64) -> i32
    %27 = "arith.divsi"(%26, %arg11) : (i32, i32) -> i32
    %28 = "arith.remsi"(%27, %arg10) : (i32, i32) -> i32
    %29 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %30 = "arith.divsi"(%26, %29) : (i32, i32) -> i32
    %31 = "arith.remsi"(%30, %arg9) : (i32, i32) -> i32
    %32 = "arith.addi"(%arg7, %21) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.divsi"(%32, %19) : (i32, i32) -> i32
    %34 = "arith.divsi"(%31, %33) : (i32, i32) -> i32
    %35 = "arith.muli"(%34, %19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %36 = "arith.remsi"(%31, %33) : (i32, i32) -> i32
    %37 = "arith.muli"(%36, %19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %38 = "arith.muli"(%28, %arg6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %39 = "arith.muli"(%38, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %40 = "arith.index_cast"(%39) : (i32) -> index
    %41 = "arith.index_cast"(%35) : (i32) -> index
    %42 = "arith.index_cast"(%arg8) : (i32) -> index
    %43 = "arith.muli"(%28, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %44 = "arith.muli"(%43, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %45 = "arith.index_cast"(%44) : (i32) -> index
    %46 = "arith.index_cast"(%arg6) : (i32) -> index
    %47 = "arith.maxsi"(%46, %41) : (index, index) -> index
    %48 = "arith.addi"(%41, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %49 = "arith.minsi"(%48, %47) : (index, index) -> index
    %50 = "arith.subi"(%49, %41) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %51 = "arith.minsi"(%50, %18) : (index, index) -> index
    %52 = "arith.cmpi"(%51, %18) <{predicate = 2 : i64}> : (index, index) -> i1
    %53 = "arith.index_cast"(%arg7) : (i32) -> index
    %54 = "arith.index_cast"(%37) : (i32) -> index
    %55 = "arith.maxsi"(%53, %54) : (index, index) -> index
    %56 = "arith.addi"(%54, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %57 = "arith.minsi"(%56, %55) : (index, index) -> index
    %58 = "arith.subi"(%57, %54) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %59 = "arith.minsi"(%58, %18) : (index, index) -> index
    %60 = "arith.cmpi"(%59, %18) <{predicate = 2 : i64}> : (index, index) -> i1
    %61 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
    %62 = "memref.cast"(%61) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%20, %arg8, %19) ({
    ^bb0(%arg12: i32):
      %86 = "arith.index_cast"(%arg12) : (i32) -> index
      %87 = "arith.cmpi"(%86, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %88 = "arith.subi"(%12, %86) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %89 = "arith.select"(%87, %88, %86) : (i1, index, index) -> index
      %90 = "arith.divsi"(%89, %18) : (index, index) -> index
      %91 = "arith.subi"(%12, %90) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %92 = "arith.select"(%87, %91, %90) : (i1, index, index) -> index
      %93 = "arith.index_cast"(%92) : (index) -> i64
      %94 = "arith.index_cast"(%arg12) : (i32) -> index
      %95 = "arith.cmpi"(%94, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %96 = "arith.subi"(%12, %94) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %97 = "arith.select"(%95, %96, %94) : (i1, index, index) -> index
      %98 = "arith.divsi"(%97, %18) : (index, index) -> index
      %99 = "arith.subi"(%12, %98) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %100 = "arith.select"(%95, %99, %98) : (i1, index, index) -> index
      %101 = "arith.remsi"(%100, %10) : (index, index) -> index
      %102 = "arith.cmpi"(%101, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %103 = "arith.addi"(%101, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %104 = "arith.select"(%102, %103, %101) : (i1, index, index) -> index
      %105 = "arith.index_cast"(%104) : (index) -> i1
      %106 = "arith.select"(%105, %9, %8) : (i1, i64, i64) -> i64
      %107 = "arith.index_cast"(%104) : (index) -> i1
      %108 = "arith.select"(%107, %14, %7) : (i1, i64, i64) -> i64
      %109 = "hivm.hir.pointer_cast"(%16, %15) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%109) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %110 = "hivm.hir.pointer_cast"(%13, %17) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%110) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %111 = "arith.index_cast"(%arg12) : (i32) -> index
      %112 = "arith.addi"(%111, %40) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %113 = "arith.muli"(%41, %42) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %114 = "arith.addi"(%112, %113) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %115 = "memref.reinterpret_cast"(%arg3, %114, %42) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %116 = "memref.cast"(%110) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %117 = "arith.maxsi"(%42, %111) : (index, index) -> index
      %118 = "arith.addi"(%111, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %119 = "arith.minsi"(%118, %117) : (index, index) -> index
      %120 = "arith.subi"(%119, %111) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %121 = "arith.minsi"(%120, %18) : (index, index) -> index
      %122 = "arith.cmpi"(%121, %18) <{predicate = 2 : i64}> : (index, index) -> i1
      %123 = "arith.ori"(%52, %122) : (i1, i1) -> i1
      %124 = "memref.subview"(%115, %51, %121) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %125 = "arith.addi"(%51, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %126 = "arith.cmpi"(%125, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %127 = "arith.subi"(%1, %51) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %128 = "arith.select"(%126, %127, %125) : (i1, index, index) -> index
      %129 = "arith.divsi"(%128, %5) : (index, index) -> index
      %130 = "arith.subi"(%12, %129) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %131 = "arith.select"(%126, %130, %129) : (i1, index, index) -> index
      %132 = "arith.addi"(%121, %4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %133 = "arith.cmpi"(%132, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %134 = "arith.subi"(%0, %121) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %135 = "arith.select"(%133, %134, %132) : (i1, index, index) -> index
      %136 = "arith.divsi"(%135, %3) : (index, index) -> index
      %137 = "arith.subi"(%12, %136) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %138 = "arith.select"(%133, %137, %136) : (i1, index, index) -> index
      %139 = "memref.subview"(%110, %138, %131) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %140 = "memref.cast"(%139) : (memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%123) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %166 = "memref.collapse_shape"(%110) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%22, %166) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%108) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%124, %140) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %141 = "arith.addi"(%54, %45) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %142 = "arith.muli"(%111, %53) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %143 = "arith.addi"(%141, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %144 = "memref.reinterpret_cast"(%arg4, %143, %53) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %145 = "memref.cast"(%109) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %146 = "arith.ori"(%122, %60) : (i1, i1) -> i1
      %147 = "memref.subview"(%144, %121, %59) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %148 = "arith.addi"(%121, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %149 = "arith.cmpi"(%148, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %150 = "arith.subi"(%1, %121) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %151 = "arith.select"(%149, %150, %148) : (i1, index, index) -> index
      %152 = "arith.divsi"(%151, %5) : (index, index) -> index
      %153 = "arith.subi"(%12, %152) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %154 = "arith.select"(%149, %153, %152) : (i1, index, index) -> index
      %155 = "arith.addi"(%59, %4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %156 = "arith.cmpi"(%155, %11) <{predicate = 2 : i64}> : (index, index) -> i1
      %157 = "arith.subi"(%0, %59) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %158 = "arith.select"(%156, %157, %155) : (i1, index, index) -> index
      %159 = "arith.divsi"(%158, %3) : (index, index) -> index
      %160 = "arith.subi"(%12, %159) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %161 = "arith.select"(%156, %160, %159) : (i1, index, index) -> index
      %162 = "memref.subview"(%109, %161, %154) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %163 = "memref.cast"(%162) : (memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%146) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %165 = "memref.collapse_shape"(%109) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%22, %165) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%106) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%147, %163) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %164 = "arith.cmpi"(%arg12, %20) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%116, %145, %164, %51, %121, %59, %62, %13, %14, %108, %106, %93, %2, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %63 = "arith.muli"(%38, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %64 = "arith.index_cast"(%63) : (i32) -> index
    %65 = "arith.addi"(%54, %64) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %66 = "arith.muli"(%41, %53) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %67 = "arith.addi"(%65, %66) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %68 = "memref.reinterpret_cast"(%arg5, %67, %53) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %69 = "arith.addi"(%51, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %70 = "arith.cmpi"(%69, %11) <{predicate = 2 : i64}> : (index, index) -> i1
    %71 = "arith.subi"(%1, %51) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %72 = "arith.select"(%70, %71, %69) : (i1, index, index) -> index
    %73 = "arith.divsi"(%72, %5) : (index, index) -> index
    %74 = "arith.subi"(%12, %73) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %75 = "arith.select"(%70, %74, %73) : (i1, index, index) -> index
    %76 = "arith.addi"(%59, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %77 = "arith.cmpi"(%76, %11) <{predicate = 2 : i64}> : (index, index) -> i1
    %78 = "arith.subi"(%1, %59) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %79 = "arith.select"(%77, %78, %76) : (i1, index, index) -> index
    %80 = "arith.divsi"(%79, %5) : (index, index) -> index
    %81 = "arith.subi"(%12, %80) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %82 = "arith.select"(%77, %81, %80) : (i1, index, index) -> index
    %83 = "memref.subview"(%61, %82, %75) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>
    %84 = "memref.cast"(%83) : (memref<?x?x16x16xf32, strided<[1024, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %85 = "memref.subview"(%68, %51, %59) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%84, %85) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()

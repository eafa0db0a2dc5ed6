// turned_product(a, b, out, M, N, K) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "turned_product_infer_workspace_shape_function"}> ({
    %227 = "arith.constant"() <{value = 8192 : index}> : () -> index
    "func.return"(%227) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "turned_product_infer_task_type_function"}> ({
    %226 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%226) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "turned_product_mix_aic"}> ({
  ^bb0(%arg14: i64, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xi8, #hivm.address_space<gm>>, %arg17: memref<?xf16, #hivm.address_space<gm>>, %arg18: memref<?xf16, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: i32, %arg21: i32, %arg22: i32, %arg23: i32, %arg24: i32, %arg25: i32):
    %68 = "arith.constant"() <{value = -16 : index}> : () -> index
    %69 = "arith.constant"() <{value = 128 : index}> : () -> index
    %70 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %71 = "arith.constant"() <{value = 16 : index}> : () -> index
    %72 = "arith.constant"() <{value = 15 : index}> : () -> index
    %73 = "arith.constant"() <{value = -32 : index}> : () -> index
    %74 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %75 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %76 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %77 = "arith.constant"() <{value = 2 : index}> : () -> index
    %78 = "arith.constant"() <{value = 4 : index}> : () -> index
    %79 = "arith.constant"() <{value = -1 : index}> : () -> index
    %80 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %81 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %82 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %83 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %84 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %85 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %86 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %87 = "arith.constant"() <{value = 32 : index}> : () -> index
    %88 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %89 = "arith.constant"() <{value = 0 : index}> : () -> index
    %90 = "arith.constant"() <{value = 1 : index}> : () -> index
    %91 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    "hivm.hir.set_ffts_base_addr"(%arg14) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %92 = "arith.muli"(%arg23, %arg24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %93 = "arith.muli"(%92, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%93) {logical_block_num} : (i32) -> ()
    %94 = "hivm.hir.get_block_idx"() : () -> i64
    %95 = "arith.trunci"(%94) : (i64) -> i32
    %96 = "arith.divsi"(%95, %arg25) : (i32, i32) -> i32
    %97 = "arith.remsi"(%96, %arg24) : (i32, i32) -> i32
    %98 = "arith.muli"(%arg25, %arg24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %99 = "arith.divsi"(%95, %98) : (i32, i32) -> i32
    %100 = "arith.remsi"(%99, %arg23) : (i32, i32) -> i32
    %101 = "arith.muli"(%100, %86) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %102 = "arith.muli"(%97, %86) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %103 = "arith.index_cast"(%101) : (i32) -> index
    %104 = "arith.index_cast"(%arg22) : (i32) -> index
    %105 = "memref_ext.alloc_workspace"(%arg16, %89) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf16, #hivm.address_space<gm>>
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %106 = "arith.index_cast"(%arg20) : (i32) -> index
    %107 = "arith.maxsi"(%106, %103) : (index, index) -> index
    %108 = "arith.addi"(%103, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %109 = "arith.minsi"(%108, %107) : (index, index) -> index
    %110 = "arith.subi"(%109, %103) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %111 = "arith.minsi"(%110, %87) : (index, index) -> index
    %112 = "arith.cmpi"(%111, %87) <{predicate = 2 : i64}> : (index, index) -> i1
    %113 = "hivm.hir.pointer_cast"(%80) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
    %114 = "memref.cast"(%113) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%85, %arg22, %91) ({
    ^bb0(%arg26: i32):
      %142 = "arith.index_cast"(%arg26) : (i32) -> index
      %143 = "arith.subi"(%104, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %144 = "arith.cmpi"(%143, %89) <{predicate = 3 : i64}> : (index, index) -> i1
      %145 = "arith.subi"(%89, %143) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %146 = "arith.subi"(%143, %90) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %147 = "arith.select"(%144, %145, %146) : (i1, index, index) -> index
      %148 = "arith.divsi"(%147, %87) : (index, index) -> index
      %149 = "arith.subi"(%89, %148) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %150 = "arith.addi"(%148, %90) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %151 = "arith.select"(%144, %149, %150) : (i1, index, index) -> index
      %152 = "arith.minsi"(%151, %78) : (index, index) -> index
      "scf.for"(%89, %152, %90) ({
      ^bb0(%arg27: index):
        %153 = "arith.index_cast"(%arg26) : (i32) -> index
        %154 = "arith.cmpi"(%153, %89) <{predicate = 2 : i64}> : (index, index) -> i1
        %155 = "arith.subi"(%79, %153) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %156 = "arith.select"(%154, %155, %153) : (i1, index, index) -> index
        %157 = "arith.divsi"(%156, %69) : (index, index) -> index
        %158 = "arith.subi"(%79, %157) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %159 = "arith.select"(%154, %158, %157) : (i1, index, index) -> index
        %160 = "arith.muli"(%159, %152) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %161 = "arith.addi"(%arg27, %160) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %162 = "arith.index_cast"(%161) : (index) -> i64
        %163 = "arith.index_cast"(%arg26) : (i32) -> index
        %164 = "arith.cmpi"(%163, %89) <{predicate = 2 : i64}> : (index, index) -> i1
        %165 = "arith.subi"(%79, %163) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %166 = "arith.select"(%164, %165, %163) : (i1, index, index) -> index
        %167 = "arith.divsi"(%166, %69) : (index, index) -> index
        %168 = "arith.subi"(%79, %167) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %169 = "arith.select"(%164, %168, %167) : (i1, index, index) -> index
        %170 = "arith.muli"(%169, %152) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %171 = "arith.addi"(%arg27, %170) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %172 = "arith.remsi"(%171, %77) : (index, index) -> index
        %173 = "arith.cmpi"(%172, %89) <{predicate = 2 : i64}> : (index, index) -> i1
        %174 = "arith.addi"(%172, %77) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %175 = "arith.select"(%173, %174, %172) : (i1, index, index) -> index
        %176 = "arith.index_cast"(%175) : (index) -> i1
        %177 = "arith.select"(%176, %76, %75) : (i1, i64, i64) -> i64
        %178 = "arith.index_cast"(%175) : (index) -> i1
        %179 = "arith.select"(%178, %81, %74) : (i1, i64, i64) -> i64
        %180 = "hivm.hir.pointer_cast"(%83, %82) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        "annotation.mark"(%180) {hivm.multi_buffer = 2 : i32} : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> ()
        %181 = "hivm.hir.pointer_cast"(%80, %84) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        "annotation.mark"(%181) {hivm.multi_buffer = 2 : i32} : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> ()
        %182 = "arith.index_cast"(%arg27) : (index) -> i64
        %183 = "arith.muli"(%arg27, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %184 = "arith.addi"(%183, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %185 = "arith.index_cast"(%184) : (index) -> i32
        %186 = "arith.muli"(%arg27, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %187 = "arith.addi"(%186, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %188 = "arith.muli"(%103, %104) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %189 = "arith.addi"(%187, %188) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %190 = "memref.reinterpret_cast"(%arg17, %189, %104) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
        %191 = "memref.cast"(%181) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
        %192 = "arith.muli"(%arg27, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %193 = "arith.addi"(%192, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %194 = "arith.maxsi"(%104, %193) : (index, index) -> index
        %195 = "arith.muli"(%arg27, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %196 = "arith.addi"(%195, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %197 = "arith.addi"(%196, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %198 = "arith.minsi"(%194, %197) : (index, index) -> index
        %199 = "arith.muli"(%arg27, %73) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %200 = "arith.addi"(%199, %198) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %201 = "arith.subi"(%200, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %202 = "arith.minsi"(%201, %87) : (index, index) -> index
        %203 = "arith.cmpi"(%202, %87) <{predicate = 2 : i64}> : (index, index) -> i1
        %204 = "arith.ori"(%112, %203) : (i1, i1) -> i1
        %205 = "memref.subview"(%190, %111, %202) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
        %206 = "arith.addi"(%111, %72) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %207 = "arith.cmpi"(%206, %89) <{predicate = 2 : i64}> : (index, index) -> i1
        %208 = "arith.subi"(%68, %111) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %209 = "arith.select"(%207, %208, %206) : (i1, index, index) -> index
        %210 = "arith.divsi"(%209, %71) : (index, index) -> index
        %211 = "arith.subi"(%79, %210) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %212 = "arith.select"(%207, %211, %210) : (i1, index, index) -> index
        %213 = "arith.addi"(%202, %72) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %214 = "arith.cmpi"(%213, %89) <{predicate = 2 : i64}> : (index, index) -> i1
        %215 = "arith.subi"(%68, %202) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %216 = "arith.select"(%214, %215, %213) : (i1, index, index) -> index
        %217 = "arith.divsi"(%216, %71) : (index, index) -> index
        %218 = "arith.subi"(%79, %217) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %219 = "arith.select"(%214, %218, %217) : (i1, index, index) -> index
        %220 = "memref.subview"(%181, %219, %212) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
        %221 = "memref.cast"(%220) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
        "scf.if"(%204) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %225 = "memref.collapse_shape"(%181) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "hivm.hir.vbrc"(%88, %225) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%179) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.nd2nz"(%205, %221) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %222 = "memref.subview"(%105, %arg27) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %223 = "memref.cast"(%180) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"(%177) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.nd2nz"(%222, %223) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        "hivm.hir.sync_block_set"(%182) <{operandSegmentSizes = array<i32: 1, 0>, pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %224 = "arith.cmpi"(%185, %85) <{predicate = 0 : i64}> : (i32, i32) -> i1
        "hivm.hir.mmadL1"(%191, %223, %224, %111, %202, %87, %114, %80, %81, %179, %177, %162, %70, %70) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<CUBE>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %115 = "arith.index_cast"(%arg21) : (i32) -> index
    %116 = "arith.index_cast"(%102) : (i32) -> index
    %117 = "arith.muli"(%103, %115) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %118 = "arith.addi"(%116, %117) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %119 = "memref.reinterpret_cast"(%arg19, %118, %115) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<32x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %120 = "arith.maxsi"(%115, %116) : (index, index) -> index
    %121 = "arith.addi"(%116, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %122 = "arith.minsi"(%121, %120) : (index, index) -> index
    %123 = "arith.subi"(%122, %116) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %124 = "arith.minsi"(%123, %87) : (index, index) -> index
    %125 = "arith.addi"(%111, %72) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %126 = "arith.cmpi"(%125, %89) <{predicate = 2 : i64}> : (index, index) -> i1
    %127 = "arith.subi"(%68, %111) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %128 = "arith.select"(%126, %127, %125) : (i1, index, index) -> index
    %129 = "arith.divsi"(%128, %71) : (index, index) -> index
    %130 = "arith.subi"(%79, %129) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %131 = "arith.select"(%126, %130, %129) : (i1, index, index) -> index
    %132 = "arith.addi"(%124, %72) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %133 = "arith.cmpi"(%132, %89) <{predicate = 2 : i64}> : (index, index) -> i1
    %134 = "arith.subi"(%68, %124) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %135 = "arith.select"(%133, %134, %132) : (i1, index, index) -> index
    %136 = "arith.divsi"(%135, %71) : (index, index) -> index
    %137 = "arith.subi"(%79, %136) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %138 = "arith.select"(%133, %137, %136) : (i1, index, index) -> index
    %139 = "memref.subview"(%113, %138, %131) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>
    %140 = "memref.cast"(%139) : (memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>
    %141 = "memref.subview"(%119, %111, %124) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%140, %141) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "turned_product_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = -32 : index}> : () -> index
    %1 = "arith.constant"() <{value = 4 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 32 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %7 = "arith.constant"() <{value = 0 : index}> : () -> index
    %8 = "arith.constant"() <{value = 1 : index}> : () -> index
    %9 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %10 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "arith.muli"(%10, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%11) {logical_block_num} : (i32) -> ()
    %12 = "hivm.hir.get_block_idx"() : () -> i64
    %13 = "arith.trunci"(%12) : (i64) -> i32
    %14 = "arith.divsi"(%13, %arg11) : (i32, i32) -> i32
    %15 = "arith.remsi"(%14, %arg10) : (i32, i32) -> i32
    %16 = "arith.muli"(%15, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "arith.index_cast"(%arg8) : (i32) -> index
    %18 = "memref_ext.alloc_workspace"(%arg2, %7) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf16, #hivm.address_space<gm>>
    %19 = "arith.index_cast"(%16) : (i32) -> index
    %20 = "arith.index_cast"(%arg7) : (i32) -> index
    %21 = "arith.maxsi"(%20, %19) : (index, index) -> index
    %22 = "arith.addi"(%19, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %23 = "arith.minsi"(%22, %21) : (index, index) -> index
    %24 = "arith.subi"(%23, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %25 = "arith.minsi"(%24, %5) : (index, index) -> index
    %26 = "arith.cmpi"(%25, %5) <{predicate = 2 : i64}> : (index, index) -> i1
    %27 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %28 = "arith.index_cast"(%27) : (i64) -> index
    %29 = "arith.cmpi"(%28, %7) <{predicate = 0 : i64}> : (index, index) -> i1
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%3, %arg8, %9) ({
    ^bb0(%arg12: i32):
      %30 = "arith.index_cast"(%arg12) : (i32) -> index
      %31 = "arith.subi"(%17, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %32 = "arith.cmpi"(%31, %7) <{predicate = 3 : i64}> : (index, index) -> i1
      %33 = "arith.subi"(%7, %31) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %34 = "arith.subi"(%31, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %35 = "arith.select"(%32, %33, %34) : (i1, index, index) -> index
      %36 = "arith.divsi"(%35, %5) : (index, index) -> index
      %37 = "arith.subi"(%7, %36) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %38 = "arith.addi"(%36, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %39 = "arith.select"(%32, %37, %38) : (i1, index, index) -> index
      %40 = "arith.minsi"(%39, %1) : (index, index) -> index
      "scf.for"(%7, %40, %8) ({
      ^bb0(%arg13: index):
        %41 = "arith.index_cast"(%arg13) : (index) -> i64
        %42 = "arith.muli"(%arg13, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %43 = "arith.addi"(%42, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %44 = "arith.maxsi"(%17, %43) : (index, index) -> index
        %45 = "arith.muli"(%arg13, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %46 = "arith.addi"(%45, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %47 = "arith.addi"(%46, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %48 = "arith.minsi"(%44, %47) : (index, index) -> index
        %49 = "arith.muli"(%arg13, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %50 = "arith.addi"(%49, %48) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %51 = "arith.subi"(%50, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %52 = "arith.minsi"(%51, %5) : (index, index) -> index
        %53 = "arith.cmpi"(%52, %5) <{predicate = 2 : i64}> : (index, index) -> i1
        %54 = "arith.muli"(%arg13, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %55 = "arith.addi"(%54, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %56 = "arith.muli"(%19, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %57 = "arith.addi"(%55, %56) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %58 = "memref.reinterpret_cast"(%arg4, %57, %17) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 1, -9223372036854775808>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x32xf16, strided<[1, ?], offset: ?>, #hivm.address_space<gm>>
        %59 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf16, #hivm.address_space<ub>>
        %60 = "arith.ori"(%53, %26) : (i1, i1) -> i1
        %61 = "memref.subview"(%58, %52, %25) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[1, ?], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[1, ?], offset: ?>, #hivm.address_space<gm>>
        %62 = "memref.subview"(%59, %52, %25) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xf16, strided<[32, 1]>, #hivm.address_space<ub>>
        "scf.if"(%60) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
          %67 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1]]}> : (memref<32x32xf16, #hivm.address_space<ub>>) -> memref<1024xf16, #hivm.address_space<ub>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
          "hivm.hir.vbrc"(%6, %67) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<ub>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.load"(%61, %62, %6, %7) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x?xf16, strided<[1, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?xf16, strided<[32, 1]>, #hivm.address_space<ub>>, f16, index) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        "annotation.mark"(%59) {MayImplicitTransposeWithLastAxis} : (memref<32x32xf16, #hivm.address_space<ub>>) -> ()
        %63 = "memref.subview"(%18, %arg13) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf16, #hivm.address_space<gm>>, index) -> memref<1x32x32xf16, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
        %64 = "memref.collapse_shape"(%63) <{reassociation = [[0, 1], [2]]}> : (memref<1x32x32xf16, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"(%41) <{pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        "scf.if"(%29) ({
          %65 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1]]}> : (memref<32x32xf16, #hivm.address_space<ub>>) -> memref<1024xf16, #hivm.address_space<ub>>
          %66 = "memref.collapse_shape"(%64) <{reassociation = [[0, 1]]}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
          "hivm.hir.store"(%65, %66) {op_to_tile_0_0} : (memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {limit_sub_block_id0} : (i1) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        "annotation.mark"(%59) {MayImplicitTransposeWithLastAxis} : (memref<32x32xf16, #hivm.address_space<ub>>) -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<VECTOR>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

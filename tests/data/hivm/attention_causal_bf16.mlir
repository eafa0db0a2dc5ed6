// examples/triton/attention.py, attention: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "attention_infer_workspace_shape_function"}> ({
    %312 = "arith.constant"() <{value = 40960 : index}> : () -> index
    "func.return"(%312) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "attention_infer_task_type_function"}> ({
    %311 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%311) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "attention_mix_aic"}> ({
  ^bb0(%arg15: i64, %arg16: memref<?xi8, #hivm.address_space<gm>>, %arg17: memref<?xi8, #hivm.address_space<gm>>, %arg18: memref<?xbf16, #hivm.address_space<gm>>, %arg19: memref<?xbf16, #hivm.address_space<gm>>, %arg20: memref<?xbf16, #hivm.address_space<gm>>, %arg21: memref<?xbf16, #hivm.address_space<gm>>, %arg22: i32, %arg23: f32, %arg24: i32, %arg25: i32, %arg26: i32):
    %183 = "arith.constant"() <{value = -16 : index}> : () -> index
    %184 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %185 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %186 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %187 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %188 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %189 = "arith.constant"() <{value = 2 : index}> : () -> index
    %190 = "arith.constant"() <{value = 16 : index}> : () -> index
    %191 = "arith.constant"() <{value = 15 : index}> : () -> index
    %192 = "arith.constant"() <{value = -1 : index}> : () -> index
    %193 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %194 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %195 = "arith.constant"() <{value = 24576 : i64}> : () -> i64
    %196 = "arith.constant"() <{value = 40960 : i64}> : () -> i64
    %197 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %198 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %199 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %200 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %201 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %202 = "arith.constant"() <{value = 64 : index}> : () -> index
    %203 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %204 = "arith.constant"() <{value = 0 : index}> : () -> index
    %205 = "arith.constant"() <{value = true}> : () -> i1
    %206 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %207 = "arith.constant"() <{value = 16384 : index}> : () -> index
    %208 = "arith.constant"() <{value = 24576 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg15) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %209 = "arith.muli"(%arg24, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %210 = "arith.muli"(%209, %arg26) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%210) {logical_block_num} : (i32) -> ()
    %211 = "hivm.hir.get_block_idx"() : () -> i64
    %212 = "arith.trunci"(%211) : (i64) -> i32
    %213 = "arith.divsi"(%212, %arg26) : (i32, i32) -> i32
    %214 = "arith.remsi"(%213, %arg25) : (i32, i32) -> i32
    %215 = "arith.muli"(%arg26, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %216 = "arith.divsi"(%212, %215) : (i32, i32) -> i32
    %217 = "arith.remsi"(%216, %arg24) : (i32, i32) -> i32
    %218 = "arith.muli"(%214, %arg22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %219 = "arith.muli"(%218, %201) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %220 = "arith.muli"(%217, %201) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %221 = "arith.index_cast"(%219) : (i32) -> index
    %222 = "arith.index_cast"(%220) : (i32) -> index
    %223 = "arith.muli"(%222, %202) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %224 = "arith.addi"(%221, %223) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %225 = "memref.reinterpret_cast"(%arg18, %224) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %226 = "hivm.hir.pointer_cast"(%193) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
    %227 = "memref.cast"(%226) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
    %228 = "arith.index_cast"(%arg22) : (i32) -> index
    %229 = "arith.maxsi"(%228, %222) : (index, index) -> index
    %230 = "arith.addi"(%222, %202) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %231 = "arith.minsi"(%230, %229) : (index, index) -> index
    %232 = "arith.subi"(%231, %222) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %233 = "arith.cmpi"(%232, %202) <{predicate = 2 : i64}> : (index, index) -> i1
    %234 = "memref.subview"(%225, %232) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %235 = "arith.subi"(%231, %222) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %236 = "arith.addi"(%235, %191) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %237 = "arith.cmpi"(%236, %204) <{predicate = 2 : i64}> : (index, index) -> i1
    %238 = "arith.subi"(%183, %235) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %239 = "arith.select"(%237, %238, %236) : (i1, index, index) -> index
    %240 = "arith.divsi"(%239, %190) : (index, index) -> index
    %241 = "arith.subi"(%192, %240) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %242 = "arith.select"(%237, %241, %240) : (i1, index, index) -> index
    %243 = "memref.subview"(%226, %242) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 4, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index) -> memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
    %244 = "memref.cast"(%243) : (memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
    "scf.if"(%233) ({
      %310 = "memref.collapse_shape"(%226) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
      "hivm.hir.vbrc"(%203, %310) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.nd2nz"(%234, %244) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    %245 = "arith.addi"(%217, %206) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %246 = "arith.muli"(%245, %201) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %247 = "arith.minsi"(%arg22, %246) : (i32, i32) -> i32
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%200, %247, %201) ({
    ^bb0(%arg27: i32):
      %248 = "arith.index_cast"(%arg27) : (i32) -> index
      %249 = "arith.cmpi"(%248, %204) <{predicate = 2 : i64}> : (index, index) -> i1
      %250 = "arith.subi"(%192, %248) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %251 = "arith.select"(%249, %250, %248) : (i1, index, index) -> index
      %252 = "arith.divsi"(%251, %202) : (index, index) -> index
      %253 = "arith.subi"(%192, %252) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %254 = "arith.select"(%249, %253, %252) : (i1, index, index) -> index
      %255 = "arith.index_cast"(%254) : (index) -> i64
      %256 = "arith.index_cast"(%arg27) : (i32) -> index
      %257 = "arith.cmpi"(%256, %204) <{predicate = 2 : i64}> : (index, index) -> i1
      %258 = "arith.subi"(%192, %256) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %259 = "arith.select"(%257, %258, %256) : (i1, index, index) -> index
      %260 = "arith.divsi"(%259, %202) : (index, index) -> index
      %261 = "arith.subi"(%192, %260) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %262 = "arith.select"(%257, %261, %260) : (i1, index, index) -> index
      %263 = "arith.remsi"(%262, %189) : (index, index) -> index
      %264 = "arith.cmpi"(%263, %204) <{predicate = 2 : i64}> : (index, index) -> i1
      %265 = "arith.addi"(%263, %189) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %266 = "arith.select"(%264, %265, %263) : (i1, index, index) -> index
      %267 = "arith.index_cast"(%266) : (index) -> i1
      %268 = "arith.select"(%267, %188, %187) : (i1, i64, i64) -> i64
      %269 = "arith.index_cast"(%266) : (index) -> i1
      %270 = "arith.select"(%269, %186, %185) : (i1, i64, i64) -> i64
      %271 = "hivm.hir.pointer_cast"(%195, %194) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%271) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %272 = "hivm.hir.pointer_cast"(%197, %196) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%272) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %273 = "hivm.hir.pointer_cast"(%199, %198) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%273) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %274 = "arith.index_cast"(%arg27) : (i32) -> index
      %275 = "arith.muli"(%274, %202) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %276 = "arith.addi"(%221, %275) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %277 = "memref.reinterpret_cast"(%arg19, %276) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %278 = "memref.cast"(%273) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %279 = "arith.maxsi"(%228, %274) : (index, index) -> index
      %280 = "arith.addi"(%274, %202) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %281 = "arith.minsi"(%280, %279) : (index, index) -> index
      %282 = "arith.subi"(%281, %274) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %283 = "arith.cmpi"(%282, %202) <{predicate = 2 : i64}> : (index, index) -> i1
      %284 = "memref.subview"(%277, %282) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %285 = "arith.subi"(%281, %274) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %286 = "arith.addi"(%285, %191) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %287 = "arith.cmpi"(%286, %204) <{predicate = 2 : i64}> : (index, index) -> i1
      %288 = "arith.subi"(%183, %285) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %289 = "arith.select"(%287, %288, %286) : (i1, index, index) -> index
      %290 = "arith.divsi"(%289, %190) : (index, index) -> index
      %291 = "arith.subi"(%192, %290) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %292 = "arith.select"(%287, %291, %290) : (i1, index, index) -> index
      %293 = "memref.subview"(%273, %292) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 4, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index) -> memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %294 = "memref.cast"(%293) : (memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%283) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %309 = "memref.collapse_shape"(%273) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%203, %309) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%270) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%284, %294) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %295 = "hivm.hir.pointer_cast"(%193) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %296 = "memref.cast"(%295) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%227, %278, %205, %232, %202, %282, %296, %184, %193, %184, %270, %255, %184, %184) <{b_transpose, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %297 = "memref_ext.alloc_workspace"(%arg17, %204) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%296, %297) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%297) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %298 = "memref.reinterpret_cast"(%arg20, %276) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %299 = "memref.cast"(%272) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %300 = "memref.subview"(%298, %282) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %301 = "memref.subview"(%272, %292) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 4, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index) -> memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %302 = "memref.cast"(%301) : (memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%283) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %308 = "memref.collapse_shape"(%272) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%203, %308) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%268) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%300, %302) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      %303 = "memref_ext.alloc_workspace"(%arg17, %207) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %304 = "memref.cast"(%271) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      "hivm.hir.nd2nz"(%303, %304) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xbf16, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %305 = "hivm.hir.pointer_cast"(%197) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %306 = "memref.cast"(%305) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%304, %299, %205, %202, %202, %202, %306, %193, %184, %184, %268, %255, %184, %184) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %307 = "memref_ext.alloc_workspace"(%arg17, %208) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%306, %307) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%307) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "attention_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: memref<?xbf16, #hivm.address_space<gm>>, %arg6: memref<?xbf16, #hivm.address_space<gm>>, %arg7: i32, %arg8: f32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = 64 : index}> : () -> index
    %1 = "arith.constant"() <{value = 32 : index}> : () -> index
    %2 = "arith.constant"() <{value = 84640 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 76448 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 60064 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 59040 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 50848 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 50592 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 50464 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 50336 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 49312 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 49280 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 49120 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 48992 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 48864 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 48832 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 48800 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 48672 : i64}> : () -> i64
    %19 = "arith.constant"() <{value = 48608 : i64}> : () -> i64
    %20 = "arith.constant"() <{value = 40416 : i64}> : () -> i64
    %21 = "arith.constant"() <{value = 36320 : i64}> : () -> i64
    %22 = "arith.constant"() <{value = 36224 : i64}> : () -> i64
    %23 = "arith.constant"() <{value = 36096 : i64}> : () -> i64
    %24 = "arith.constant"() <{value = 35072 : i64}> : () -> i64
    %25 = "arith.constant"() <{value = 26880 : i64}> : () -> i64
    %26 = "arith.constant"() <{value = 26624 : i64}> : () -> i64
    %27 = "arith.constant"() <{value = 18432 : i64}> : () -> i64
    %28 = "arith.constant"() <{value = 18176 : i64}> : () -> i64
    %29 = "arith.constant"() <{value = 18048 : i64}> : () -> i64
    %30 = "arith.constant"() <{value = 68256 : i64}> : () -> i64
    %31 = "arith.constant"() <{value = 50720 : i64}> : () -> i64
    %32 = "arith.constant"() <{value = 17024 : i64}> : () -> i64
    %33 = "arith.constant"() <{value = 8832 : i64}> : () -> i64
    %34 = "arith.constant"() <{value = 8704 : i64}> : () -> i64
    %35 = "arith.constant"() <{value = 8448 : i64}> : () -> i64
    %36 = "arith.constant"() <{value = 256 : i64}> : () -> i64
    %37 = "arith.constant"() <{value = 128 : i64}> : () -> i64
    %38 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %39 = "arith.constant"() <{value = 24576 : index}> : () -> index
    %40 = "arith.constant"() <{value = 16384 : index}> : () -> index
    %41 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %42 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %43 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %44 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %45 = "arith.constant"() <{value = -1.000000e+30 : f32}> : () -> f32
    %46 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %47 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %48 = "arith.constant"() <{value = 0 : index}> : () -> index
    %49 = "arith.constant"() <{value = 1 : index}> : () -> index
    %50 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %51 = "arith.muli"(%50, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %52 = "hivm.hir.get_block_idx"() : () -> i64
    %53 = "arith.trunci"(%52) : (i64) -> i32
    %54 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %55 = "hivm.hir.pointer_cast"(%38) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%47, %55) <{broadcast_dims = array<i64>}> : (f32, memref<32xf32, #hivm.address_space<ub>>) -> ()
    %56 = "hivm.hir.pointer_cast"(%37) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%44, %56) <{broadcast_dims = array<i64>}> : (f32, memref<32xf32, #hivm.address_space<ub>>) -> ()
    %57 = "hivm.hir.pointer_cast"(%36) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %58 = "memref.collapse_shape"(%57) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%47, %58) <{broadcast_dims = array<i64>}> : (f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %59 = "hivm.hir.pointer_cast"(%35) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi32, #hivm.address_space<ub>>
    "hivm.hir.varange"(%59, %48, %49) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<64xi32, #hivm.address_space<ub>>, index, index) -> ()
    %60 = "arith.index_cast"(%arg7) : (i32) -> index
    %61 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %62 = "arith.index_cast"(%61) : (i64) -> index
    %63 = "arith.muli"(%62, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    "annotation.mark"(%51) {logical_block_num} : (i32) -> ()
    %64 = "arith.divsi"(%53, %arg11) : (i32, i32) -> i32
    %65 = "arith.remsi"(%64, %arg10) : (i32, i32) -> i32
    %66 = "arith.divsi"(%53, %54) : (i32, i32) -> i32
    %67 = "arith.remsi"(%66, %arg9) : (i32, i32) -> i32
    %68 = "arith.muli"(%65, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %69 = "arith.muli"(%68, %43) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %70 = "arith.muli"(%67, %43) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %71 = "memref.subview"(%59, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32>, static_strides = array<i64: 1>}> {to_be_bubbled_slice} : (memref<64xi32, #hivm.address_space<ub>>, index) -> memref<32xi32, strided<[1], offset: ?>, #hivm.address_space<ub>>
    %72 = "hivm.hir.pointer_cast"(%34) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%71, %70, %72) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xi32, strided<[1], offset: ?>, #hivm.address_space<ub>>, i32, memref<32xi32, #hivm.address_space<ub>>) -> ()
    %73 = "arith.index_cast"(%69) : (i32) -> index
    %74 = "arith.index_cast"(%70) : (i32) -> index
    %75 = "arith.muli"(%74, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %76 = "arith.addi"(%73, %75) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %77 = "arith.maxsi"(%60, %74) : (index, index) -> index
    %78 = "arith.addi"(%74, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %79 = "arith.minsi"(%78, %77) : (index, index) -> index
    %80 = "arith.addi"(%67, %41) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %81 = "arith.muli"(%80, %43) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %82 = "arith.minsi"(%arg7, %81) : (i32, i32) -> i32
    %83 = "memref.expand_shape"(%72) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xi32, #hivm.address_space<ub>>) -> memref<32x1xi32, #hivm.address_space<ub>>
    %84 = "hivm.hir.pointer_cast"(%33) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi32, #hivm.address_space<ub>>
    %85 = "hivm.hir.pointer_cast"(%32) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vbrc"(%83, %84, %85) <{broadcast_dims = array<i64: 1>}> : (memref<32x1xi32, #hivm.address_space<ub>>, memref<32x64xi32, #hivm.address_space<ub>>, memref<256xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %86 = "hivm.hir.pointer_cast"(%31) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.copy"(%55, %86) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
    %87 = "hivm.hir.pointer_cast"(%30) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %88 = "memref.collapse_shape"(%87) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.copy"(%58, %88) : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %89 = "hivm.hir.pointer_cast"(%29) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.copy"(%56, %89) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %90:2 = "scf.for"(%46, %82, %43, %86, %87) ({
    ^bb0(%arg12: i32, %arg13: memref<32xf32, #hivm.address_space<ub>>, %arg14: memref<32x64xf32, #hivm.address_space<ub>>):
      %109 = "hivm.hir.pointer_cast"(%28) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.vadd"(%59, %arg12, %109) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %110 = "memref_ext.alloc_workspace"(%arg2, %48) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %111 = "memref.subview"(%110, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %112 = "hivm.hir.pointer_cast"(%27) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %113 = "memref.collapse_shape"(%111) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %114 = "memref.collapse_shape"(%112) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%113, %114) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %115 = "hivm.hir.pointer_cast"(%27) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %116 = "memref.collapse_shape"(%115) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%114, %arg8, %116) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %117 = "memref.expand_shape"(%109) <{reassociation = [[0, 1]], static_output_shape = array<i64: 1, 64>}> : (memref<64xi32, #hivm.address_space<ub>>) -> memref<1x64xi32, #hivm.address_space<ub>>
      %118 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi32, #hivm.address_space<ub>>
      %119 = "memref.collapse_shape"(%118) <{reassociation = [[0, 1]]}> : (memref<1x64xi32, #hivm.address_space<ub>>) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmax"(%109, %arg7, %119) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %120 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %121 = "memref.collapse_shape"(%120) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%119, %109, %121) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, memref<64xi32, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %122 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %123 = "memref.collapse_shape"(%122) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%121, %123) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %124 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi32, #hivm.address_space<ub>>
      %125 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xi32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%117, %83, %124, %125) <{broadcast = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<1x64xi32, #hivm.address_space<ub>>, memref<32x1xi32, #hivm.address_space<ub>>, memref<32x64xi32, #hivm.address_space<ub>>, memref<256xi32, #hivm.address_space<ub>>) -> ()
      %126 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %127 = "memref.collapse_shape"(%124) <{reassociation = [[0, 1]]}> : (memref<32x64xi32, #hivm.address_space<ub>>) -> memref<2048xi32, #hivm.address_space<ub>>
      %128 = "memref.collapse_shape"(%84) <{reassociation = [[0, 1]]}> : (memref<32x64xi32, #hivm.address_space<ub>>) -> memref<2048xi32, #hivm.address_space<ub>>
      %129 = "memref.collapse_shape"(%126) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%127, %128, %129) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xi32, #hivm.address_space<ub>>, memref<2048xi32, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %130 = "hivm.hir.pointer_cast"(%23) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xf16, #hivm.address_space<ub>>
      %131 = "memref.collapse_shape"(%130) <{reassociation = [[0, 1]]}> : (memref<1x64xf16, #hivm.address_space<ub>>) -> memref<64xf16, #hivm.address_space<ub>>
      %132 = "hivm.hir.pointer_cast"(%22) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<48xf16, #hivm.address_space<ub>>
      "hivm.hir.vcast"(%123, %131, %132) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 1>, round_mode = #hivm.round_mode<trunc>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>, memref<48xf16, #hivm.address_space<ub>>) -> ()
      %133 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf16, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vbrc"(%130, %133) <{broadcast_dims = array<i64: 0>}> : (memref<1x64xf16, #hivm.address_space<ub>>, memref<32x64xf16, #hivm.address_space<ub>>) -> ()
      %134 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %135 = "memref.collapse_shape"(%133) <{reassociation = [[0, 1]]}> : (memref<32x64xf16, #hivm.address_space<ub>>) -> memref<2048xf16, #hivm.address_space<ub>>
      %136 = "memref.collapse_shape"(%134) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%135, %42, %136) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf16, #hivm.address_space<ub>>, f16, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %137 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %138 = "memref.collapse_shape"(%137) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%136, %138) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %139 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %140 = "memref.collapse_shape"(%139) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vand"(%138, %129, %140) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %141 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %142 = "memref.collapse_shape"(%141) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %143 = "hivm.hir.pointer_cast"(%19) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%140, %116, %45, %142, %143) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %144 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%141, %144) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %145 = "memref.collapse_shape"(%144) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %146 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%89, %89, %146) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %147 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%146, %147) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %148 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%145, %145, %148) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %149 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%148, %149) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %150 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%89, %145, %150) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %151 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %152 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%147, %145, %150, %151, %152) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %153 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %154 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%149, %89, %151, %153, %154) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %155 = "memref.expand_shape"(%153) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %156 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %157 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsub"(%141, %155, %156, %157) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %158 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %159 = "memref.collapse_shape"(%156) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %160 = "memref.collapse_shape"(%158) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%159, %160) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %161 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vsub"(%89, %153, %161) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %162 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%161, %162) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %163 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%arg13, %162, %163) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %164 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.vreduce"(%158, %164) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %165 = "memref.collapse_shape"(%164) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %166 = "hivm.hir.pointer_cast"(%31) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%163, %165, %166) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %167 = "memref.expand_shape"(%162) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %168 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %169 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.vmul"(%arg14, %167, %168, %169) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %170 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xbf16, #hivm.address_space<ub>>
      %171 = "memref.collapse_shape"(%170) <{reassociation = [[0, 1]]}> : (memref<32x64xbf16, #hivm.address_space<ub>>) -> memref<2048xbf16, #hivm.address_space<ub>>
      "hivm.hir.vcast"(%160, %171) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %172 = "memref_ext.alloc_workspace"(%arg2, %40) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, #hivm.address_space<gm>>
      %173 = "memref.subview"(%172, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xbf16, #hivm.address_space<gm>>, index) -> memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %174 = "memref.collapse_shape"(%173) <{reassociation = [[0, 1]]}> : (memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%171, %174) {"inserted-store", tiled_op} : (memref<2048xbf16, #hivm.address_space<ub>>, memref<2048xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "annotation.mark"(%173) : (memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %175 = "memref_ext.alloc_workspace"(%arg2, %39) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %176 = "memref.subview"(%175, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %177 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %178 = "memref.collapse_shape"(%176) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %179 = "memref.collapse_shape"(%177) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%178, %179) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %180 = "hivm.hir.pointer_cast"(%30) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %181 = "memref.collapse_shape"(%168) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %182 = "memref.collapse_shape"(%180) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%179, %181, %182) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.copy"(%153, %89) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      "scf.yield"(%166, %180) : (memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32, memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) -> (memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>)
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %91 = "memref.expand_shape"(%90#0) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
    %92 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %93 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vdiv"(%90#1, %91, %92, %93) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
    %94 = "memref.reinterpret_cast"(%arg6, %76) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %95 = "memref.subview"(%94, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %96 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xbf16, #hivm.address_space<ub>>
    %97 = "memref.collapse_shape"(%92) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    %98 = "memref.collapse_shape"(%96) <{reassociation = [[0, 1]]}> : (memref<32x64xbf16, #hivm.address_space<ub>>) -> memref<2048xbf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%97, %98) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xbf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %99 = "arith.subi"(%79, %74) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %100 = "arith.muli"(%62, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %101 = "arith.minsi"(%99, %100) : (index, index) -> index
    %102 = "arith.subi"(%79, %101) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %103 = "arith.subi"(%102, %74) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %104 = "arith.minsi"(%103, %1) : (index, index) -> index
    %105 = "memref.subview"(%96, %104) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xbf16, #hivm.address_space<ub>>, index) -> memref<?x64xbf16, strided<[64, 1]>, #hivm.address_space<ub>>
    %106 = "memref.subview"(%95, %104) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %107 = "memref.collapse_shape"(%105) <{reassociation = [[0, 1]]}> : (memref<?x64xbf16, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>
    %108 = "memref.collapse_shape"(%106) <{reassociation = [[0, 1]]}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%107, %108) {tiled_op} : (memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

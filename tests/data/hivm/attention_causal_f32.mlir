// examples/triton/attention.py, attention: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "attention_infer_workspace_shape_function"}> ({
    %311 = "arith.constant"() <{value = 49152 : index}> : () -> index
    "func.return"(%311) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "attention_infer_task_type_function"}> ({
    %310 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%310) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "attention_mix_aic"}> ({
  ^bb0(%arg15: i64, %arg16: memref<?xi8, #hivm.address_space<gm>>, %arg17: memref<?xi8, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: memref<?xf32, #hivm.address_space<gm>>, %arg21: memref<?xf32, #hivm.address_space<gm>>, %arg22: i32, %arg23: f32, %arg24: i32, %arg25: i32, %arg26: i32):
    %178 = "arith.constant"() <{value = -16 : index}> : () -> index
    %179 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %180 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %181 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %182 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %183 = "arith.constant"() <{value = 6 : i64}> : () -> i64
    %184 = "arith.constant"() <{value = 5 : i64}> : () -> i64
    %185 = "arith.constant"() <{value = 2 : index}> : () -> index
    %186 = "arith.constant"() <{value = 16 : index}> : () -> index
    %187 = "arith.constant"() <{value = 15 : index}> : () -> index
    %188 = "arith.constant"() <{value = -1 : index}> : () -> index
    %189 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %190 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %191 = "arith.constant"() <{value = 98304 : i64}> : () -> i64
    %192 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %193 = "arith.constant"() <{value = 81920 : i64}> : () -> i64
    %194 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %195 = "arith.constant"() <{value = 65536 : i64}> : () -> i64
    %196 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %197 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %198 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %199 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %200 = "arith.constant"() <{value = 64 : index}> : () -> index
    %201 = "arith.constant"() <{value = 0 : index}> : () -> index
    %202 = "arith.constant"() <{value = true}> : () -> i1
    %203 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %204 = "arith.constant"() <{value = 16384 : index}> : () -> index
    %205 = "arith.constant"() <{value = 32768 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg15) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %206 = "arith.muli"(%arg24, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %207 = "arith.muli"(%206, %arg26) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%207) {logical_block_num} : (i32) -> ()
    %208 = "hivm.hir.get_block_idx"() : () -> i64
    %209 = "arith.trunci"(%208) : (i64) -> i32
    %210 = "arith.divsi"(%209, %arg26) : (i32, i32) -> i32
    %211 = "arith.remsi"(%210, %arg25) : (i32, i32) -> i32
    %212 = "arith.muli"(%arg26, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %213 = "arith.divsi"(%209, %212) : (i32, i32) -> i32
    %214 = "arith.remsi"(%213, %arg24) : (i32, i32) -> i32
    %215 = "arith.muli"(%211, %arg22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %216 = "arith.muli"(%215, %199) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %217 = "arith.muli"(%214, %199) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %218 = "arith.index_cast"(%216) : (i32) -> index
    %219 = "arith.index_cast"(%217) : (i32) -> index
    %220 = "arith.muli"(%219, %200) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %221 = "arith.addi"(%218, %220) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %222 = "memref.reinterpret_cast"(%arg18, %221) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %223 = "hivm.hir.pointer_cast"(%189) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
    %224 = "memref.cast"(%223) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
    %225 = "arith.index_cast"(%arg22) : (i32) -> index
    %226 = "arith.maxsi"(%225, %219) : (index, index) -> index
    %227 = "arith.addi"(%219, %200) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %228 = "arith.minsi"(%227, %226) : (index, index) -> index
    %229 = "arith.subi"(%228, %219) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %230 = "arith.cmpi"(%229, %200) <{predicate = 2 : i64}> : (index, index) -> i1
    %231 = "memref.subview"(%222, %229) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %232 = "arith.subi"(%228, %219) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %233 = "arith.addi"(%232, %187) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %234 = "arith.cmpi"(%233, %201) <{predicate = 2 : i64}> : (index, index) -> i1
    %235 = "arith.subi"(%178, %232) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %236 = "arith.select"(%234, %235, %233) : (i1, index, index) -> index
    %237 = "arith.divsi"(%236, %186) : (index, index) -> index
    %238 = "arith.subi"(%188, %237) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %239 = "arith.select"(%234, %238, %237) : (i1, index, index) -> index
    %240 = "memref.subview"(%223, %239) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 8, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
    %241 = "memref.cast"(%240) : (memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
    "scf.if"(%230) ({
      %309 = "memref.collapse_shape"(%223) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
      "hivm.hir.vbrc"(%197, %309) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.nd2nz"(%231, %241) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    %242 = "arith.addi"(%214, %203) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %243 = "arith.muli"(%242, %199) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %244 = "arith.minsi"(%arg22, %243) : (i32, i32) -> i32
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID5>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID6>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%198, %244, %199) ({
    ^bb0(%arg27: i32):
      %245 = "arith.index_cast"(%arg27) : (i32) -> index
      %246 = "arith.cmpi"(%245, %201) <{predicate = 2 : i64}> : (index, index) -> i1
      %247 = "arith.subi"(%188, %245) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %248 = "arith.select"(%246, %247, %245) : (i1, index, index) -> index
      %249 = "arith.divsi"(%248, %200) : (index, index) -> index
      %250 = "arith.subi"(%188, %249) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %251 = "arith.select"(%246, %250, %249) : (i1, index, index) -> index
      %252 = "arith.index_cast"(%251) : (index) -> i64
      %253 = "arith.index_cast"(%arg27) : (i32) -> index
      %254 = "arith.cmpi"(%253, %201) <{predicate = 2 : i64}> : (index, index) -> i1
      %255 = "arith.subi"(%188, %253) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %256 = "arith.select"(%254, %255, %253) : (i1, index, index) -> index
      %257 = "arith.divsi"(%256, %200) : (index, index) -> index
      %258 = "arith.subi"(%188, %257) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %259 = "arith.select"(%254, %258, %257) : (i1, index, index) -> index
      %260 = "arith.remsi"(%259, %185) : (index, index) -> index
      %261 = "arith.cmpi"(%260, %201) <{predicate = 2 : i64}> : (index, index) -> i1
      %262 = "arith.addi"(%260, %185) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %263 = "arith.select"(%261, %262, %260) : (i1, index, index) -> index
      %264 = "arith.index_cast"(%263) : (index) -> i1
      %265 = "arith.select"(%264, %184, %183) : (i1, i64, i64) -> i64
      %266 = "arith.index_cast"(%263) : (index) -> i1
      %267 = "arith.select"(%266, %182, %181) : (i1, i64, i64) -> i64
      %268 = "arith.index_cast"(%263) : (index) -> i1
      %269 = "arith.select"(%268, %190, %180) : (i1, i64, i64) -> i64
      %270 = "hivm.hir.pointer_cast"(%192, %191) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%270) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %271 = "hivm.hir.pointer_cast"(%194, %193) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%271) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %272 = "hivm.hir.pointer_cast"(%196, %195) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%272) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %273 = "arith.index_cast"(%arg27) : (i32) -> index
      %274 = "arith.muli"(%273, %200) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %275 = "arith.addi"(%218, %274) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %276 = "memref.reinterpret_cast"(%arg19, %275) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %277 = "memref.cast"(%272) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %278 = "arith.maxsi"(%225, %273) : (index, index) -> index
      %279 = "arith.addi"(%273, %200) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %280 = "arith.minsi"(%279, %278) : (index, index) -> index
      %281 = "arith.subi"(%280, %273) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %282 = "arith.cmpi"(%281, %200) <{predicate = 2 : i64}> : (index, index) -> i1
      %283 = "memref.subview"(%276, %281) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %284 = "arith.subi"(%280, %273) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %285 = "arith.addi"(%284, %187) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %286 = "arith.cmpi"(%285, %201) <{predicate = 2 : i64}> : (index, index) -> i1
      %287 = "arith.subi"(%178, %284) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %288 = "arith.select"(%286, %287, %285) : (i1, index, index) -> index
      %289 = "arith.divsi"(%288, %186) : (index, index) -> index
      %290 = "arith.subi"(%188, %289) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %291 = "arith.select"(%286, %290, %289) : (i1, index, index) -> index
      %292 = "memref.subview"(%272, %291) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 8, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %293 = "memref.cast"(%292) : (memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%282) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %308 = "memref.collapse_shape"(%272) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%197, %308) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%269) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%283, %293) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %294 = "hivm.hir.pointer_cast"(%189) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %295 = "memref.cast"(%294) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%224, %277, %202, %229, %200, %281, %295, %179, %189, %179, %269, %252, %179, %179) <{b_transpose, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %296 = "memref_ext.alloc_workspace"(%arg17, %201) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%295, %296) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%296) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %297 = "memref_ext.alloc_workspace"(%arg17, %204) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %298 = "memref.cast"(%271) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      "hivm.hir.wait_flag"(%267) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%297, %298) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xf32, #hivm.address_space<gm>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %299 = "memref.reinterpret_cast"(%arg20, %275) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %300 = "memref.cast"(%270) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %301 = "memref.subview"(%299, %281) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %302 = "memref.subview"(%270, %291) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 8, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %303 = "memref.cast"(%302) : (memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%282) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %307 = "memref.collapse_shape"(%270) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%197, %307) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%265) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%301, %303) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %304 = "hivm.hir.pointer_cast"(%196) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %305 = "memref.cast"(%304) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%298, %300, %202, %200, %200, %200, %305, %189, %190, %267, %265, %252, %179, %179) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %306 = "memref_ext.alloc_workspace"(%arg17, %205) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%305, %306) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%306) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID5>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID6>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "attention_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: i32, %arg8: f32, %arg9: i32, %arg10: i32, %arg11: i32):
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
    %39 = "arith.constant"() <{value = 32768 : index}> : () -> index
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
      %106 = "hivm.hir.pointer_cast"(%28) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.vadd"(%59, %arg12, %106) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %107 = "memref_ext.alloc_workspace"(%arg2, %48) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %108 = "memref.subview"(%107, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %109 = "hivm.hir.pointer_cast"(%27) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %110 = "memref.collapse_shape"(%108) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %111 = "memref.collapse_shape"(%109) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%110, %111) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %112 = "hivm.hir.pointer_cast"(%27) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %113 = "memref.collapse_shape"(%112) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%111, %arg8, %113) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %114 = "memref.expand_shape"(%106) <{reassociation = [[0, 1]], static_output_shape = array<i64: 1, 64>}> : (memref<64xi32, #hivm.address_space<ub>>) -> memref<1x64xi32, #hivm.address_space<ub>>
      %115 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi32, #hivm.address_space<ub>>
      %116 = "memref.collapse_shape"(%115) <{reassociation = [[0, 1]]}> : (memref<1x64xi32, #hivm.address_space<ub>>) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmax"(%106, %arg7, %116) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %117 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %118 = "memref.collapse_shape"(%117) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%116, %106, %118) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, memref<64xi32, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %119 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %120 = "memref.collapse_shape"(%119) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%118, %120) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %121 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi32, #hivm.address_space<ub>>
      %122 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xi32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%114, %83, %121, %122) <{broadcast = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<1x64xi32, #hivm.address_space<ub>>, memref<32x1xi32, #hivm.address_space<ub>>, memref<32x64xi32, #hivm.address_space<ub>>, memref<256xi32, #hivm.address_space<ub>>) -> ()
      %123 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %124 = "memref.collapse_shape"(%121) <{reassociation = [[0, 1]]}> : (memref<32x64xi32, #hivm.address_space<ub>>) -> memref<2048xi32, #hivm.address_space<ub>>
      %125 = "memref.collapse_shape"(%84) <{reassociation = [[0, 1]]}> : (memref<32x64xi32, #hivm.address_space<ub>>) -> memref<2048xi32, #hivm.address_space<ub>>
      %126 = "memref.collapse_shape"(%123) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%124, %125, %126) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xi32, #hivm.address_space<ub>>, memref<2048xi32, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %127 = "hivm.hir.pointer_cast"(%23) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xf16, #hivm.address_space<ub>>
      %128 = "memref.collapse_shape"(%127) <{reassociation = [[0, 1]]}> : (memref<1x64xf16, #hivm.address_space<ub>>) -> memref<64xf16, #hivm.address_space<ub>>
      %129 = "hivm.hir.pointer_cast"(%22) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<48xf16, #hivm.address_space<ub>>
      "hivm.hir.vcast"(%120, %128, %129) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 1>, round_mode = #hivm.round_mode<trunc>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>, memref<48xf16, #hivm.address_space<ub>>) -> ()
      %130 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf16, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vbrc"(%127, %130) <{broadcast_dims = array<i64: 0>}> : (memref<1x64xf16, #hivm.address_space<ub>>, memref<32x64xf16, #hivm.address_space<ub>>) -> ()
      %131 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %132 = "memref.collapse_shape"(%130) <{reassociation = [[0, 1]]}> : (memref<32x64xf16, #hivm.address_space<ub>>) -> memref<2048xf16, #hivm.address_space<ub>>
      %133 = "memref.collapse_shape"(%131) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%132, %42, %133) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf16, #hivm.address_space<ub>>, f16, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %134 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %135 = "memref.collapse_shape"(%134) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%133, %135) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %136 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %137 = "memref.collapse_shape"(%136) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vand"(%135, %126, %137) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %138 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %139 = "memref.collapse_shape"(%138) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %140 = "hivm.hir.pointer_cast"(%19) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%137, %113, %45, %139, %140) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %141 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%138, %141) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %142 = "memref.collapse_shape"(%141) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %143 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%89, %89, %143) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %144 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%143, %144) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %145 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%142, %142, %145) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %146 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%145, %146) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %147 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%89, %142, %147) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %148 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %149 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%144, %142, %147, %148, %149) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %150 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %151 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%146, %89, %148, %150, %151) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %152 = "memref.expand_shape"(%150) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %153 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %154 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsub"(%138, %152, %153, %154) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %155 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %156 = "memref.collapse_shape"(%153) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %157 = "memref.collapse_shape"(%155) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%156, %157) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %158 = "memref_ext.alloc_workspace"(%arg2, %40) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      %159 = "memref.subview"(%158, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %160 = "memref.collapse_shape"(%159) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%157, %160) {"inserted-store", tiled_op} : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "annotation.mark"(%159) : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %161 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vsub"(%89, %150, %161) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %162 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%161, %162) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %163 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%arg13, %162, %163) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %164 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.vreduce"(%155, %164) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %165 = "memref.collapse_shape"(%164) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %166 = "hivm.hir.pointer_cast"(%31) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%163, %165, %166) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %167 = "memref.expand_shape"(%162) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %168 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %169 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.vmul"(%arg14, %167, %168, %169) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %170 = "memref_ext.alloc_workspace"(%arg2, %39) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %171 = "memref.subview"(%170, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %172 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %173 = "memref.collapse_shape"(%171) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %174 = "memref.collapse_shape"(%172) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%173, %174) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %175 = "hivm.hir.pointer_cast"(%30) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %176 = "memref.collapse_shape"(%168) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %177 = "memref.collapse_shape"(%175) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%174, %176, %177) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.copy"(%150, %89) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      "scf.yield"(%166, %175) : (memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) -> ()
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
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %94 = "memref.reinterpret_cast"(%arg6, %76) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %95 = "memref.subview"(%94, %63) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %96 = "arith.subi"(%79, %74) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %97 = "arith.muli"(%62, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %98 = "arith.minsi"(%96, %97) : (index, index) -> index
    %99 = "arith.subi"(%79, %98) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %100 = "arith.subi"(%99, %74) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %101 = "arith.minsi"(%100, %1) : (index, index) -> index
    %102 = "memref.subview"(%92, %101) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, index) -> memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    %103 = "memref.subview"(%95, %101) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %104 = "memref.collapse_shape"(%102) <{reassociation = [[0, 1]]}> : (memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %105 = "memref.collapse_shape"(%103) <{reassociation = [[0, 1]]}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%104, %105) {tiled_op} : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

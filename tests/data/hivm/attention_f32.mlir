// examples/triton/attention.py, attention: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "attention_infer_workspace_shape_function"}> ({
    %284 = "arith.constant"() <{value = 49152 : index}> : () -> index
    "func.return"(%284) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "attention_infer_task_type_function"}> ({
    %283 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%283) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "attention_mix_aic"}> ({
  ^bb0(%arg15: i64, %arg16: memref<?xi8, #hivm.address_space<gm>>, %arg17: memref<?xi8, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: memref<?xf32, #hivm.address_space<gm>>, %arg21: memref<?xf32, #hivm.address_space<gm>>, %arg22: i32, %arg23: f32, %arg24: i32, %arg25: i32, %arg26: i32):
    %155 = "arith.constant"() <{value = -16 : index}> : () -> index
    %156 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %157 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %158 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %159 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %160 = "arith.constant"() <{value = 6 : i64}> : () -> i64
    %161 = "arith.constant"() <{value = 5 : i64}> : () -> i64
    %162 = "arith.constant"() <{value = 2 : index}> : () -> index
    %163 = "arith.constant"() <{value = 16 : index}> : () -> index
    %164 = "arith.constant"() <{value = 15 : index}> : () -> index
    %165 = "arith.constant"() <{value = -1 : index}> : () -> index
    %166 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %167 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %168 = "arith.constant"() <{value = 98304 : i64}> : () -> i64
    %169 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %170 = "arith.constant"() <{value = 81920 : i64}> : () -> i64
    %171 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %172 = "arith.constant"() <{value = 65536 : i64}> : () -> i64
    %173 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %174 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %175 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %176 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %177 = "arith.constant"() <{value = 64 : index}> : () -> index
    %178 = "arith.constant"() <{value = 0 : index}> : () -> index
    %179 = "arith.constant"() <{value = true}> : () -> i1
    %180 = "arith.constant"() <{value = 16384 : index}> : () -> index
    %181 = "arith.constant"() <{value = 32768 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg15) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %182 = "arith.muli"(%arg24, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %183 = "arith.muli"(%182, %arg26) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%183) {logical_block_num} : (i32) -> ()
    %184 = "hivm.hir.get_block_idx"() : () -> i64
    %185 = "arith.trunci"(%184) : (i64) -> i32
    %186 = "arith.divsi"(%185, %arg26) : (i32, i32) -> i32
    %187 = "arith.remsi"(%186, %arg25) : (i32, i32) -> i32
    %188 = "arith.muli"(%arg26, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %189 = "arith.divsi"(%185, %188) : (i32, i32) -> i32
    %190 = "arith.remsi"(%189, %arg24) : (i32, i32) -> i32
    %191 = "arith.muli"(%187, %arg22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %192 = "arith.muli"(%191, %176) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %193 = "arith.muli"(%190, %176) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %194 = "arith.index_cast"(%192) : (i32) -> index
    %195 = "arith.index_cast"(%193) : (i32) -> index
    %196 = "arith.muli"(%195, %177) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %197 = "arith.addi"(%194, %196) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %198 = "memref.reinterpret_cast"(%arg18, %197) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %199 = "hivm.hir.pointer_cast"(%166) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
    %200 = "memref.cast"(%199) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
    %201 = "arith.index_cast"(%arg22) : (i32) -> index
    %202 = "arith.maxsi"(%201, %195) : (index, index) -> index
    %203 = "arith.addi"(%195, %177) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %204 = "arith.minsi"(%203, %202) : (index, index) -> index
    %205 = "arith.subi"(%204, %195) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %206 = "arith.cmpi"(%205, %177) <{predicate = 2 : i64}> : (index, index) -> i1
    %207 = "memref.subview"(%198, %205) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %208 = "arith.subi"(%204, %195) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %209 = "arith.addi"(%208, %164) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %210 = "arith.cmpi"(%209, %178) <{predicate = 2 : i64}> : (index, index) -> i1
    %211 = "arith.subi"(%155, %208) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %212 = "arith.select"(%210, %211, %209) : (i1, index, index) -> index
    %213 = "arith.divsi"(%212, %163) : (index, index) -> index
    %214 = "arith.subi"(%165, %213) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %215 = "arith.select"(%210, %214, %213) : (i1, index, index) -> index
    %216 = "memref.subview"(%199, %215) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 8, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
    %217 = "memref.cast"(%216) : (memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
    "scf.if"(%206) ({
      %282 = "memref.collapse_shape"(%199) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
      "hivm.hir.vbrc"(%174, %282) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.nd2nz"(%207, %217) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
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
    "scf.for"(%175, %arg22, %176) ({
    ^bb0(%arg27: i32):
      %218 = "arith.index_cast"(%arg27) : (i32) -> index
      %219 = "arith.cmpi"(%218, %178) <{predicate = 2 : i64}> : (index, index) -> i1
      %220 = "arith.subi"(%165, %218) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %221 = "arith.select"(%219, %220, %218) : (i1, index, index) -> index
      %222 = "arith.divsi"(%221, %177) : (index, index) -> index
      %223 = "arith.subi"(%165, %222) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %224 = "arith.select"(%219, %223, %222) : (i1, index, index) -> index
      %225 = "arith.index_cast"(%224) : (index) -> i64
      %226 = "arith.index_cast"(%arg27) : (i32) -> index
      %227 = "arith.cmpi"(%226, %178) <{predicate = 2 : i64}> : (index, index) -> i1
      %228 = "arith.subi"(%165, %226) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %229 = "arith.select"(%227, %228, %226) : (i1, index, index) -> index
      %230 = "arith.divsi"(%229, %177) : (index, index) -> index
      %231 = "arith.subi"(%165, %230) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %232 = "arith.select"(%227, %231, %230) : (i1, index, index) -> index
      %233 = "arith.remsi"(%232, %162) : (index, index) -> index
      %234 = "arith.cmpi"(%233, %178) <{predicate = 2 : i64}> : (index, index) -> i1
      %235 = "arith.addi"(%233, %162) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %236 = "arith.select"(%234, %235, %233) : (i1, index, index) -> index
      %237 = "arith.index_cast"(%236) : (index) -> i1
      %238 = "arith.select"(%237, %161, %160) : (i1, i64, i64) -> i64
      %239 = "arith.index_cast"(%236) : (index) -> i1
      %240 = "arith.select"(%239, %159, %158) : (i1, i64, i64) -> i64
      %241 = "arith.index_cast"(%236) : (index) -> i1
      %242 = "arith.select"(%241, %167, %157) : (i1, i64, i64) -> i64
      %243 = "hivm.hir.pointer_cast"(%169, %168) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%243) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %244 = "hivm.hir.pointer_cast"(%171, %170) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%244) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %245 = "hivm.hir.pointer_cast"(%173, %172) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%245) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %246 = "arith.index_cast"(%arg27) : (i32) -> index
      %247 = "arith.muli"(%246, %177) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %248 = "arith.addi"(%194, %247) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %249 = "memref.reinterpret_cast"(%arg19, %248) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %250 = "memref.cast"(%245) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %251 = "arith.maxsi"(%201, %246) : (index, index) -> index
      %252 = "arith.addi"(%246, %177) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %253 = "arith.minsi"(%252, %251) : (index, index) -> index
      %254 = "arith.subi"(%253, %246) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %255 = "arith.cmpi"(%254, %177) <{predicate = 2 : i64}> : (index, index) -> i1
      %256 = "memref.subview"(%249, %254) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %257 = "arith.subi"(%253, %246) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %258 = "arith.addi"(%257, %164) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %259 = "arith.cmpi"(%258, %178) <{predicate = 2 : i64}> : (index, index) -> i1
      %260 = "arith.subi"(%155, %257) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %261 = "arith.select"(%259, %260, %258) : (i1, index, index) -> index
      %262 = "arith.divsi"(%261, %163) : (index, index) -> index
      %263 = "arith.subi"(%165, %262) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %264 = "arith.select"(%259, %263, %262) : (i1, index, index) -> index
      %265 = "memref.subview"(%245, %264) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 8, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %266 = "memref.cast"(%265) : (memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%255) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %281 = "memref.collapse_shape"(%245) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%174, %281) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%242) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%256, %266) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %267 = "hivm.hir.pointer_cast"(%166) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %268 = "memref.cast"(%267) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%200, %250, %179, %205, %177, %254, %268, %156, %166, %156, %242, %225, %156, %156) <{b_transpose, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %269 = "memref_ext.alloc_workspace"(%arg17, %178) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%268, %269) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%269) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %270 = "memref_ext.alloc_workspace"(%arg17, %180) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %271 = "memref.cast"(%244) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      "hivm.hir.wait_flag"(%240) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%270, %271) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xf32, #hivm.address_space<gm>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %272 = "memref.reinterpret_cast"(%arg20, %248) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %273 = "memref.cast"(%243) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %274 = "memref.subview"(%272, %254) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %275 = "memref.subview"(%243, %264) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 8, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %276 = "memref.cast"(%275) : (memref<8x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%255) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %280 = "memref.collapse_shape"(%243) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%174, %280) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%238) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%274, %276) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %277 = "hivm.hir.pointer_cast"(%173) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %278 = "memref.cast"(%277) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%271, %273, %179, %177, %177, %177, %278, %166, %167, %240, %238, %225, %156, %156) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %279 = "memref_ext.alloc_workspace"(%arg17, %181) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%278, %279) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%279) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
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
    %2 = "arith.constant"() <{value = 66080 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 57888 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 41504 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 40480 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 32288 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 32032 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 31904 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 31776 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 30752 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 30720 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 30592 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 30560 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 30432 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 30304 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 30272 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 30240 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 30112 : i64}> : () -> i64
    %19 = "arith.constant"() <{value = 30048 : i64}> : () -> i64
    %20 = "arith.constant"() <{value = 21856 : i64}> : () -> i64
    %21 = "arith.constant"() <{value = 17760 : i64}> : () -> i64
    %22 = "arith.constant"() <{value = 17664 : i64}> : () -> i64
    %23 = "arith.constant"() <{value = 17536 : i64}> : () -> i64
    %24 = "arith.constant"() <{value = 17280 : i64}> : () -> i64
    %25 = "arith.constant"() <{value = 9088 : i64}> : () -> i64
    %26 = "arith.constant"() <{value = 8832 : i64}> : () -> i64
    %27 = "arith.constant"() <{value = 8704 : i64}> : () -> i64
    %28 = "arith.constant"() <{value = 49696 : i64}> : () -> i64
    %29 = "arith.constant"() <{value = 32160 : i64}> : () -> i64
    %30 = "arith.constant"() <{value = 8448 : i64}> : () -> i64
    %31 = "arith.constant"() <{value = 256 : i64}> : () -> i64
    %32 = "arith.constant"() <{value = 128 : i64}> : () -> i64
    %33 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %34 = "arith.constant"() <{value = 32768 : index}> : () -> index
    %35 = "arith.constant"() <{value = 16384 : index}> : () -> index
    %36 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %37 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %38 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %39 = "arith.constant"() <{value = -1.000000e+30 : f32}> : () -> f32
    %40 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %41 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %42 = "arith.constant"() <{value = 0 : index}> : () -> index
    %43 = "arith.constant"() <{value = 1 : index}> : () -> index
    %44 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %45 = "arith.muli"(%44, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %46 = "hivm.hir.get_block_idx"() : () -> i64
    %47 = "arith.trunci"(%46) : (i64) -> i32
    %48 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %49 = "hivm.hir.pointer_cast"(%33) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%41, %49) <{broadcast_dims = array<i64>}> : (f32, memref<32xf32, #hivm.address_space<ub>>) -> ()
    %50 = "hivm.hir.pointer_cast"(%32) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%38, %50) <{broadcast_dims = array<i64>}> : (f32, memref<32xf32, #hivm.address_space<ub>>) -> ()
    %51 = "hivm.hir.pointer_cast"(%31) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %52 = "memref.collapse_shape"(%51) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%41, %52) <{broadcast_dims = array<i64>}> : (f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %53 = "hivm.hir.pointer_cast"(%30) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi32, #hivm.address_space<ub>>
    "hivm.hir.varange"(%53, %42, %43) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<64xi32, #hivm.address_space<ub>>, index, index) -> ()
    %54 = "arith.index_cast"(%arg7) : (i32) -> index
    %55 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %56 = "arith.index_cast"(%55) : (i64) -> index
    %57 = "arith.muli"(%56, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    "annotation.mark"(%45) {logical_block_num} : (i32) -> ()
    %58 = "arith.divsi"(%47, %arg11) : (i32, i32) -> i32
    %59 = "arith.remsi"(%58, %arg10) : (i32, i32) -> i32
    %60 = "arith.divsi"(%47, %48) : (i32, i32) -> i32
    %61 = "arith.remsi"(%60, %arg9) : (i32, i32) -> i32
    %62 = "arith.muli"(%59, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %63 = "arith.muli"(%62, %37) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %64 = "arith.muli"(%61, %37) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %65 = "arith.index_cast"(%63) : (i32) -> index
    %66 = "arith.index_cast"(%64) : (i32) -> index
    %67 = "arith.muli"(%66, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %68 = "arith.addi"(%65, %67) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %69 = "arith.maxsi"(%54, %66) : (index, index) -> index
    %70 = "arith.addi"(%66, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %71 = "arith.minsi"(%70, %69) : (index, index) -> index
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %72 = "hivm.hir.pointer_cast"(%29) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.copy"(%49, %72) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
    %73 = "hivm.hir.pointer_cast"(%28) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %74 = "memref.collapse_shape"(%73) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.copy"(%52, %74) : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %75 = "hivm.hir.pointer_cast"(%27) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
    "hivm.hir.copy"(%50, %75) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %76:2 = "scf.for"(%40, %arg7, %37, %72, %73) ({
    ^bb0(%arg12: i32, %arg13: memref<32xf32, #hivm.address_space<ub>>, %arg14: memref<32x64xf32, #hivm.address_space<ub>>):
      %92 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.vadd"(%53, %arg12, %92) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %93 = "memref_ext.alloc_workspace"(%arg2, %42) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %94 = "memref.subview"(%93, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %95 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %96 = "memref.collapse_shape"(%94) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %97 = "memref.collapse_shape"(%95) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%96, %97) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %98 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %99 = "memref.collapse_shape"(%98) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%97, %arg8, %99) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %100 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi32, #hivm.address_space<ub>>
      %101 = "memref.collapse_shape"(%100) <{reassociation = [[0, 1]]}> : (memref<1x64xi32, #hivm.address_space<ub>>) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmax"(%92, %arg7, %101) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %102 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %103 = "memref.collapse_shape"(%102) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%101, %92, %103) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, memref<64xi32, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %104 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %105 = "memref.collapse_shape"(%104) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%103, %105) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %106 = "hivm.hir.pointer_cast"(%23) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xf16, #hivm.address_space<ub>>
      %107 = "memref.collapse_shape"(%106) <{reassociation = [[0, 1]]}> : (memref<1x64xf16, #hivm.address_space<ub>>) -> memref<64xf16, #hivm.address_space<ub>>
      %108 = "hivm.hir.pointer_cast"(%22) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<48xf16, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%105, %107, %108) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 1>, round_mode = #hivm.round_mode<trunc>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>, memref<48xf16, #hivm.address_space<ub>>) -> ()
      %109 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf16, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vbrc"(%106, %109) <{broadcast_dims = array<i64: 0>}> : (memref<1x64xf16, #hivm.address_space<ub>>, memref<32x64xf16, #hivm.address_space<ub>>) -> ()
      %110 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %111 = "memref.collapse_shape"(%109) <{reassociation = [[0, 1]]}> : (memref<32x64xf16, #hivm.address_space<ub>>) -> memref<2048xf16, #hivm.address_space<ub>>
      %112 = "memref.collapse_shape"(%110) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%111, %36, %112) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf16, #hivm.address_space<ub>>, f16, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %113 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %114 = "memref.collapse_shape"(%113) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%112, %114) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %115 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %116 = "memref.collapse_shape"(%115) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %117 = "hivm.hir.pointer_cast"(%19) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%114, %99, %39, %116, %117) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %118 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%115, %118) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %119 = "memref.collapse_shape"(%118) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %120 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%75, %75, %120) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %121 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%120, %121) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %122 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%119, %119, %122) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %123 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%122, %123) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %124 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%75, %119, %124) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %125 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %126 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%121, %119, %124, %125, %126) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %127 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %128 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%123, %75, %125, %127, %128) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %129 = "memref.expand_shape"(%127) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %130 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %131 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsub"(%115, %129, %130, %131) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %132 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %133 = "memref.collapse_shape"(%130) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %134 = "memref.collapse_shape"(%132) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%133, %134) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %135 = "memref_ext.alloc_workspace"(%arg2, %35) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      %136 = "memref.subview"(%135, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %137 = "memref.collapse_shape"(%136) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%134, %137) {"inserted-store", tiled_op} : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "annotation.mark"(%136) : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %138 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vsub"(%75, %127, %138) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %139 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%138, %139) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %140 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%arg13, %139, %140) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %141 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.vreduce"(%132, %141) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %142 = "memref.collapse_shape"(%141) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %143 = "hivm.hir.pointer_cast"(%29) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%140, %142, %143) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %144 = "memref.expand_shape"(%139) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %145 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %146 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.vmul"(%arg14, %144, %145, %146) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %147 = "memref_ext.alloc_workspace"(%arg2, %34) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %148 = "memref.subview"(%147, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %149 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %150 = "memref.collapse_shape"(%148) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %151 = "memref.collapse_shape"(%149) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%150, %151) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %152 = "hivm.hir.pointer_cast"(%28) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %153 = "memref.collapse_shape"(%145) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %154 = "memref.collapse_shape"(%152) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%151, %153, %154) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.copy"(%127, %75) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      "scf.yield"(%143, %152) : (memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32, memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) -> (memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>)
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %77 = "memref.expand_shape"(%76#0) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
    %78 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %79 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vdiv"(%76#1, %77, %78, %79) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %80 = "memref.reinterpret_cast"(%arg6, %68) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %81 = "memref.subview"(%80, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %82 = "arith.subi"(%71, %66) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %83 = "arith.muli"(%56, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %84 = "arith.minsi"(%82, %83) : (index, index) -> index
    %85 = "arith.subi"(%71, %84) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %86 = "arith.subi"(%85, %66) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %87 = "arith.minsi"(%86, %1) : (index, index) -> index
    %88 = "memref.subview"(%78, %87) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, index) -> memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    %89 = "memref.subview"(%81, %87) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %90 = "memref.collapse_shape"(%88) <{reassociation = [[0, 1]]}> : (memref<?x64xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %91 = "memref.collapse_shape"(%89) <{reassociation = [[0, 1]]}> : (memref<?x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%90, %91) {tiled_op} : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

// examples/triton/attention.py, attention: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "attention_infer_workspace_shape_function"}> ({
    %285 = "arith.constant"() <{value = 40960 : index}> : () -> index
    "func.return"(%285) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "attention_infer_task_type_function"}> ({
    %284 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%284) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "attention_mix_aic"}> ({
  ^bb0(%arg15: i64, %arg16: memref<?xi8, #hivm.address_space<gm>>, %arg17: memref<?xi8, #hivm.address_space<gm>>, %arg18: memref<?xbf16, #hivm.address_space<gm>>, %arg19: memref<?xbf16, #hivm.address_space<gm>>, %arg20: memref<?xbf16, #hivm.address_space<gm>>, %arg21: memref<?xbf16, #hivm.address_space<gm>>, %arg22: i32, %arg23: f32, %arg24: i32, %arg25: i32, %arg26: i32):
    %160 = "arith.constant"() <{value = -16 : index}> : () -> index
    %161 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %162 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %163 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %164 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %165 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %166 = "arith.constant"() <{value = 2 : index}> : () -> index
    %167 = "arith.constant"() <{value = 16 : index}> : () -> index
    %168 = "arith.constant"() <{value = 15 : index}> : () -> index
    %169 = "arith.constant"() <{value = -1 : index}> : () -> index
    %170 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %171 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %172 = "arith.constant"() <{value = 24576 : i64}> : () -> i64
    %173 = "arith.constant"() <{value = 40960 : i64}> : () -> i64
    %174 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %175 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %176 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %177 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %178 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %179 = "arith.constant"() <{value = 64 : index}> : () -> index
    %180 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %181 = "arith.constant"() <{value = 0 : index}> : () -> index
    %182 = "arith.constant"() <{value = true}> : () -> i1
    %183 = "arith.constant"() <{value = 16384 : index}> : () -> index
    %184 = "arith.constant"() <{value = 24576 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg15) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %185 = "arith.muli"(%arg24, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %186 = "arith.muli"(%185, %arg26) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%186) {logical_block_num} : (i32) -> ()
    %187 = "hivm.hir.get_block_idx"() : () -> i64
    %188 = "arith.trunci"(%187) : (i64) -> i32
    %189 = "arith.divsi"(%188, %arg26) : (i32, i32) -> i32
    %190 = "arith.remsi"(%189, %arg25) : (i32, i32) -> i32
    %191 = "arith.muli"(%arg26, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %192 = "arith.divsi"(%188, %191) : (i32, i32) -> i32
    %193 = "arith.remsi"(%192, %arg24) : (i32, i32) -> i32
    %194 = "arith.muli"(%190, %arg22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %195 = "arith.muli"(%194, %178) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %196 = "arith.muli"(%193, %178) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %197 = "arith.index_cast"(%195) : (i32) -> index
    %198 = "arith.index_cast"(%196) : (i32) -> index
    %199 = "arith.muli"(%198, %179) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %200 = "arith.addi"(%197, %199) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %201 = "memref.reinterpret_cast"(%arg18, %200) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %202 = "hivm.hir.pointer_cast"(%170) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
    %203 = "memref.cast"(%202) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
    %204 = "arith.index_cast"(%arg22) : (i32) -> index
    %205 = "arith.maxsi"(%204, %198) : (index, index) -> index
    %206 = "arith.addi"(%198, %179) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %207 = "arith.minsi"(%206, %205) : (index, index) -> index
    %208 = "arith.subi"(%207, %198) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %209 = "arith.cmpi"(%208, %179) <{predicate = 2 : i64}> : (index, index) -> i1
    %210 = "memref.subview"(%201, %208) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %211 = "arith.subi"(%207, %198) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %212 = "arith.addi"(%211, %168) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %213 = "arith.cmpi"(%212, %181) <{predicate = 2 : i64}> : (index, index) -> i1
    %214 = "arith.subi"(%160, %211) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %215 = "arith.select"(%213, %214, %212) : (i1, index, index) -> index
    %216 = "arith.divsi"(%215, %167) : (index, index) -> index
    %217 = "arith.subi"(%169, %216) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %218 = "arith.select"(%213, %217, %216) : (i1, index, index) -> index
    %219 = "memref.subview"(%202, %218) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 4, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index) -> memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
    %220 = "memref.cast"(%219) : (memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
    "scf.if"(%209) ({
      %283 = "memref.collapse_shape"(%202) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
      "hivm.hir.vbrc"(%180, %283) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.nd2nz"(%210, %220) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%177, %arg22, %178) ({
    ^bb0(%arg27: i32):
      %221 = "arith.index_cast"(%arg27) : (i32) -> index
      %222 = "arith.cmpi"(%221, %181) <{predicate = 2 : i64}> : (index, index) -> i1
      %223 = "arith.subi"(%169, %221) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %224 = "arith.select"(%222, %223, %221) : (i1, index, index) -> index
      %225 = "arith.divsi"(%224, %179) : (index, index) -> index
      %226 = "arith.subi"(%169, %225) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %227 = "arith.select"(%222, %226, %225) : (i1, index, index) -> index
      %228 = "arith.index_cast"(%227) : (index) -> i64
      %229 = "arith.index_cast"(%arg27) : (i32) -> index
      %230 = "arith.cmpi"(%229, %181) <{predicate = 2 : i64}> : (index, index) -> i1
      %231 = "arith.subi"(%169, %229) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %232 = "arith.select"(%230, %231, %229) : (i1, index, index) -> index
      %233 = "arith.divsi"(%232, %179) : (index, index) -> index
      %234 = "arith.subi"(%169, %233) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %235 = "arith.select"(%230, %234, %233) : (i1, index, index) -> index
      %236 = "arith.remsi"(%235, %166) : (index, index) -> index
      %237 = "arith.cmpi"(%236, %181) <{predicate = 2 : i64}> : (index, index) -> i1
      %238 = "arith.addi"(%236, %166) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %239 = "arith.select"(%237, %238, %236) : (i1, index, index) -> index
      %240 = "arith.index_cast"(%239) : (index) -> i1
      %241 = "arith.select"(%240, %165, %164) : (i1, i64, i64) -> i64
      %242 = "arith.index_cast"(%239) : (index) -> i1
      %243 = "arith.select"(%242, %163, %162) : (i1, i64, i64) -> i64
      %244 = "hivm.hir.pointer_cast"(%172, %171) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%244) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %245 = "hivm.hir.pointer_cast"(%174, %173) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%245) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %246 = "hivm.hir.pointer_cast"(%176, %175) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%246) {hivm.multi_buffer = 2 : i32} : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %247 = "arith.index_cast"(%arg27) : (i32) -> index
      %248 = "arith.muli"(%247, %179) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %249 = "arith.addi"(%197, %248) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %250 = "memref.reinterpret_cast"(%arg19, %249) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %251 = "memref.cast"(%246) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %252 = "arith.maxsi"(%204, %247) : (index, index) -> index
      %253 = "arith.addi"(%247, %179) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %254 = "arith.minsi"(%253, %252) : (index, index) -> index
      %255 = "arith.subi"(%254, %247) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %256 = "arith.cmpi"(%255, %179) <{predicate = 2 : i64}> : (index, index) -> i1
      %257 = "memref.subview"(%250, %255) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %258 = "arith.subi"(%254, %247) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %259 = "arith.addi"(%258, %168) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %260 = "arith.cmpi"(%259, %181) <{predicate = 2 : i64}> : (index, index) -> i1
      %261 = "arith.subi"(%160, %258) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %262 = "arith.select"(%260, %261, %259) : (i1, index, index) -> index
      %263 = "arith.divsi"(%262, %167) : (index, index) -> index
      %264 = "arith.subi"(%169, %263) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %265 = "arith.select"(%260, %264, %263) : (i1, index, index) -> index
      %266 = "memref.subview"(%246, %265) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 4, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index) -> memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %267 = "memref.cast"(%266) : (memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%256) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %282 = "memref.collapse_shape"(%246) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%180, %282) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%243) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%257, %267) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %268 = "hivm.hir.pointer_cast"(%170) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %269 = "memref.cast"(%268) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%203, %251, %182, %208, %179, %255, %269, %161, %170, %161, %243, %228, %161, %161) <{b_transpose, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %270 = "memref_ext.alloc_workspace"(%arg17, %181) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%269, %270) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%270) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %271 = "memref.reinterpret_cast"(%arg20, %249) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %272 = "memref.cast"(%245) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %273 = "memref.subview"(%271, %255) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %274 = "memref.subview"(%245, %265) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 4, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>, index) -> memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %275 = "memref.cast"(%274) : (memref<4x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%256) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %281 = "memref.collapse_shape"(%245) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<4096xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%180, %281) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%241) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%273, %275) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      %276 = "memref_ext.alloc_workspace"(%arg17, %183) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %277 = "memref.cast"(%244) : (memref<4x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      "hivm.hir.nd2nz"(%276, %277) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xbf16, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %278 = "hivm.hir.pointer_cast"(%174) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
      %279 = "memref.cast"(%278) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "hivm.hir.mmadL1"(%277, %272, %182, %179, %179, %179, %279, %170, %161, %161, %241, %228, %161, %161) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %280 = "memref_ext.alloc_workspace"(%arg17, %184) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      "hivm.hir.fixpipe"(%279, %280) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "annotation.mark"(%280) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
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
    %34 = "arith.constant"() <{value = 24576 : index}> : () -> index
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
      %95 = "hivm.hir.pointer_cast"(%26) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.vadd"(%53, %arg12, %95) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %96 = "memref_ext.alloc_workspace"(%arg2, %42) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %97 = "memref.subview"(%96, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %98 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %99 = "memref.collapse_shape"(%97) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %100 = "memref.collapse_shape"(%98) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%99, %100) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %101 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %102 = "memref.collapse_shape"(%101) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%100, %arg8, %102) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %103 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi32, #hivm.address_space<ub>>
      %104 = "memref.collapse_shape"(%103) <{reassociation = [[0, 1]]}> : (memref<1x64xi32, #hivm.address_space<ub>>) -> memref<64xi32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmax"(%95, %arg7, %104) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, i32, memref<64xi32, #hivm.address_space<ub>>) -> ()
      %105 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %106 = "memref.collapse_shape"(%105) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%104, %95, %106) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xi32, #hivm.address_space<ub>>, memref<64xi32, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %107 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xi1, #hivm.address_space<ub>>
      %108 = "memref.collapse_shape"(%107) <{reassociation = [[0, 1]]}> : (memref<1x64xi1, #hivm.address_space<ub>>) -> memref<64xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%106, %108) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
      %109 = "hivm.hir.pointer_cast"(%23) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xf16, #hivm.address_space<ub>>
      %110 = "memref.collapse_shape"(%109) <{reassociation = [[0, 1]]}> : (memref<1x64xf16, #hivm.address_space<ub>>) -> memref<64xf16, #hivm.address_space<ub>>
      %111 = "hivm.hir.pointer_cast"(%22) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<48xf16, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%108, %110, %111) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 1>, round_mode = #hivm.round_mode<trunc>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>, memref<48xf16, #hivm.address_space<ub>>) -> ()
      %112 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf16, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vbrc"(%109, %112) <{broadcast_dims = array<i64: 0>}> : (memref<1x64xf16, #hivm.address_space<ub>>, memref<32x64xf16, #hivm.address_space<ub>>) -> ()
      %113 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %114 = "memref.collapse_shape"(%112) <{reassociation = [[0, 1]]}> : (memref<32x64xf16, #hivm.address_space<ub>>) -> memref<2048xf16, #hivm.address_space<ub>>
      %115 = "memref.collapse_shape"(%113) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%114, %36, %115) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf16, #hivm.address_space<ub>>, f16, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %116 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xi1, #hivm.address_space<ub>>
      %117 = "memref.collapse_shape"(%116) <{reassociation = [[0, 1]]}> : (memref<32x64xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%115, %117) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %118 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %119 = "memref.collapse_shape"(%118) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %120 = "hivm.hir.pointer_cast"(%19) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%117, %102, %39, %119, %120) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %121 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%118, %121) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %122 = "memref.collapse_shape"(%121) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %123 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%75, %75, %123) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %124 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%123, %124) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %125 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%122, %122, %125) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %126 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%125, %126) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xi1, #hivm.address_space<ub>>) -> ()
      %127 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%75, %122, %127) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %128 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %129 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%124, %122, %127, %128, %129) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %130 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      %131 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%126, %75, %128, %130, %131) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<32xi1, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %132 = "memref.expand_shape"(%130) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %133 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %134 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsub"(%118, %132, %133, %134) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %135 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %136 = "memref.collapse_shape"(%133) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %137 = "memref.collapse_shape"(%135) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%136, %137) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %138 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.vsub"(%75, %130, %138) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %139 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%138, %139) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %140 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%arg13, %139, %140) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %141 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x1xf32, #hivm.address_space<ub>>
      "hivm.hir.vreduce"(%135, %141) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>) -> ()
      %142 = "memref.collapse_shape"(%141) <{reassociation = [[0, 1]]}> : (memref<32x1xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
      %143 = "hivm.hir.pointer_cast"(%29) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%140, %142, %143) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      %144 = "memref.expand_shape"(%139) <{reassociation = [[0, 1]], static_output_shape = array<i64: 32, 1>}> : (memref<32xf32, #hivm.address_space<ub>>) -> memref<32x1xf32, #hivm.address_space<ub>>
      %145 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %146 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.vmul"(%arg14, %144, %145, %146) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<32x1xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
      %147 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xbf16, #hivm.address_space<ub>>
      %148 = "memref.collapse_shape"(%147) <{reassociation = [[0, 1]]}> : (memref<32x64xbf16, #hivm.address_space<ub>>) -> memref<2048xbf16, #hivm.address_space<ub>>
      "hivm.hir.vcast"(%137, %148) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %149 = "memref_ext.alloc_workspace"(%arg2, %35) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, #hivm.address_space<gm>>
      %150 = "memref.subview"(%149, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xbf16, #hivm.address_space<gm>>, index) -> memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %151 = "memref.collapse_shape"(%150) <{reassociation = [[0, 1]]}> : (memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%148, %151) {"inserted-store", tiled_op} : (memref<2048xbf16, #hivm.address_space<ub>>, memref<2048xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "annotation.mark"(%150) : (memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %152 = "memref_ext.alloc_workspace"(%arg2, %34) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
      "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %153 = "memref.subview"(%152, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %154 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %155 = "memref.collapse_shape"(%153) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %156 = "memref.collapse_shape"(%154) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.load"(%155, %156) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      %157 = "hivm.hir.pointer_cast"(%28) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
      %158 = "memref.collapse_shape"(%145) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      %159 = "memref.collapse_shape"(%157) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%156, %158, %159) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.copy"(%130, %75) : (memref<32xf32, #hivm.address_space<ub>>, memref<32xf32, #hivm.address_space<ub>>) -> ()
      "scf.yield"(%143, %157) : (memref<32xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) -> ()
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
    %80 = "memref.reinterpret_cast"(%arg6, %68) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %81 = "memref.subview"(%80, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %82 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xbf16, #hivm.address_space<ub>>
    %83 = "memref.collapse_shape"(%78) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    %84 = "memref.collapse_shape"(%82) <{reassociation = [[0, 1]]}> : (memref<32x64xbf16, #hivm.address_space<ub>>) -> memref<2048xbf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%83, %84) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xbf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %85 = "arith.subi"(%71, %66) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %86 = "arith.muli"(%56, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %87 = "arith.minsi"(%85, %86) : (index, index) -> index
    %88 = "arith.subi"(%71, %87) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %89 = "arith.subi"(%88, %66) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %90 = "arith.minsi"(%89, %1) : (index, index) -> index
    %91 = "memref.subview"(%82, %90) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xbf16, #hivm.address_space<ub>>, index) -> memref<?x64xbf16, strided<[64, 1]>, #hivm.address_space<ub>>
    %92 = "memref.subview"(%81, %90) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 64>, static_strides = array<i64: 1, 1>}> : (memref<32x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %93 = "memref.collapse_shape"(%91) <{reassociation = [[0, 1]]}> : (memref<?x64xbf16, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>
    %94 = "memref.collapse_shape"(%92) <{reassociation = [[0, 1]]}> : (memref<?x64xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%93, %94) {tiled_op} : (memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

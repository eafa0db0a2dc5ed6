// examples/triton/products.py, matmul_bias_gelu: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "matmul_bias_gelu_infer_workspace_shape_function"}> ({
    %227 = "arith.constant"() <{value = 16384 : index}> : () -> index
    "func.return"(%227) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_bias_gelu_infer_task_type_function"}> ({
    %226 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%226) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul_bias_gelu_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xf32, #hivm.address_space<gm>>, %arg17: memref<?xf32, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: i32, %arg21: i32, %arg22: i32, %arg23: i32, %arg24: i32, %arg25: i32):
    %91 = "arith.constant"() <{value = -8 : index}> : () -> index
    %92 = "arith.constant"() <{value = -16 : index}> : () -> index
    %93 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %94 = "arith.constant"() <{value = 8 : index}> : () -> index
    %95 = "arith.constant"() <{value = 7 : index}> : () -> index
    %96 = "arith.constant"() <{value = 16 : index}> : () -> index
    %97 = "arith.constant"() <{value = 15 : index}> : () -> index
    %98 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %99 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %100 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %101 = "arith.constant"() <{value = 2 : index}> : () -> index
    %102 = "arith.constant"() <{value = -1 : index}> : () -> index
    %103 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %104 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %105 = "arith.constant"() <{value = 49152 : i64}> : () -> i64
    %106 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %107 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %108 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %109 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %110 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %111 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %112 = "arith.constant"() <{value = 64 : index}> : () -> index
    %113 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg13) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %114 = "arith.muli"(%arg23, %arg24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %115 = "arith.muli"(%114, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%115) {logical_block_num} : (i32) -> ()
    %116 = "hivm.hir.get_block_idx"() : () -> i64
    %117 = "arith.trunci"(%116) : (i64) -> i32
    %118 = "arith.muli"(%arg25, %arg24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %119 = "arith.divsi"(%117, %118) : (i32, i32) -> i32
    %120 = "arith.remsi"(%119, %arg23) : (i32, i32) -> i32
    %121 = "arith.addi"(%arg21, %111) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %122 = "arith.divsi"(%121, %110) : (i32, i32) -> i32
    %123 = "arith.divsi"(%120, %122) : (i32, i32) -> i32
    %124 = "arith.muli"(%123, %110) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %125 = "arith.remsi"(%120, %122) : (i32, i32) -> i32
    %126 = "arith.muli"(%125, %110) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %127 = "arith.index_cast"(%124) : (i32) -> index
    %128 = "arith.index_cast"(%arg22) : (i32) -> index
    %129 = "arith.index_cast"(%arg20) : (i32) -> index
    %130 = "arith.maxsi"(%129, %127) : (index, index) -> index
    %131 = "arith.addi"(%127, %112) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %132 = "arith.minsi"(%131, %130) : (index, index) -> index
    %133 = "arith.subi"(%132, %127) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %134 = "arith.minsi"(%133, %112) : (index, index) -> index
    %135 = "arith.cmpi"(%134, %112) <{predicate = 2 : i64}> : (index, index) -> i1
    %136 = "arith.index_cast"(%arg21) : (i32) -> index
    %137 = "arith.index_cast"(%126) : (i32) -> index
    %138 = "arith.maxsi"(%136, %137) : (index, index) -> index
    %139 = "arith.addi"(%137, %112) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %140 = "arith.minsi"(%139, %138) : (index, index) -> index
    %141 = "arith.subi"(%140, %137) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %142 = "arith.minsi"(%141, %112) : (index, index) -> index
    %143 = "arith.cmpi"(%142, %112) <{predicate = 2 : i64}> : (index, index) -> i1
    %144 = "hivm.hir.pointer_cast"(%103) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x4x16x16xf32, #hivm.address_space<cc>>
    %145 = "memref.cast"(%144) : (memref<4x4x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%108, %arg22, %110) ({
    ^bb0(%arg26: i32):
      %147 = "arith.index_cast"(%arg26) : (i32) -> index
      %148 = "arith.cmpi"(%147, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %149 = "arith.subi"(%102, %147) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %150 = "arith.select"(%148, %149, %147) : (i1, index, index) -> index
      %151 = "arith.divsi"(%150, %112) : (index, index) -> index
      %152 = "arith.subi"(%102, %151) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %153 = "arith.select"(%148, %152, %151) : (i1, index, index) -> index
      %154 = "arith.index_cast"(%153) : (index) -> i64
      %155 = "arith.index_cast"(%arg26) : (i32) -> index
      %156 = "arith.cmpi"(%155, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %157 = "arith.subi"(%102, %155) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %158 = "arith.select"(%156, %157, %155) : (i1, index, index) -> index
      %159 = "arith.divsi"(%158, %112) : (index, index) -> index
      %160 = "arith.subi"(%102, %159) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %161 = "arith.select"(%156, %160, %159) : (i1, index, index) -> index
      %162 = "arith.remsi"(%161, %101) : (index, index) -> index
      %163 = "arith.cmpi"(%162, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %164 = "arith.addi"(%162, %101) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %165 = "arith.select"(%163, %164, %162) : (i1, index, index) -> index
      %166 = "arith.index_cast"(%165) : (index) -> i1
      %167 = "arith.select"(%166, %100, %99) : (i1, i64, i64) -> i64
      %168 = "arith.index_cast"(%165) : (index) -> i1
      %169 = "arith.select"(%168, %104, %98) : (i1, i64, i64) -> i64
      %170 = "hivm.hir.pointer_cast"(%106, %105) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%170) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %171 = "hivm.hir.pointer_cast"(%103, %107) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x8xf32, #hivm.address_space<cbuf>>
      "annotation.mark"(%171) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> ()
      %172 = "arith.index_cast"(%arg26) : (i32) -> index
      %173 = "arith.muli"(%127, %128) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %174 = "arith.addi"(%172, %173) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %175 = "memref.reinterpret_cast"(%arg16, %174, %128) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %176 = "memref.cast"(%171) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %177 = "arith.maxsi"(%128, %172) : (index, index) -> index
      %178 = "arith.addi"(%172, %112) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %179 = "arith.minsi"(%178, %177) : (index, index) -> index
      %180 = "arith.subi"(%179, %172) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %181 = "arith.minsi"(%180, %112) : (index, index) -> index
      %182 = "arith.cmpi"(%181, %112) <{predicate = 2 : i64}> : (index, index) -> i1
      %183 = "arith.ori"(%135, %182) : (i1, i1) -> i1
      %184 = "memref.subview"(%175, %134, %181) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %185 = "arith.addi"(%134, %97) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %186 = "arith.cmpi"(%185, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %187 = "arith.subi"(%92, %134) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %188 = "arith.select"(%186, %187, %185) : (i1, index, index) -> index
      %189 = "arith.divsi"(%188, %96) : (index, index) -> index
      %190 = "arith.subi"(%102, %189) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %191 = "arith.select"(%186, %190, %189) : (i1, index, index) -> index
      %192 = "arith.addi"(%181, %95) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %193 = "arith.cmpi"(%192, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %194 = "arith.subi"(%91, %181) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %195 = "arith.select"(%193, %194, %192) : (i1, index, index) -> index
      %196 = "arith.divsi"(%195, %94) : (index, index) -> index
      %197 = "arith.subi"(%102, %196) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %198 = "arith.select"(%193, %197, %196) : (i1, index, index) -> index
      %199 = "memref.subview"(%171, %198, %191) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %200 = "memref.cast"(%199) : (memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%183) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %225 = "memref.collapse_shape"(%171) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%109, %225) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%169) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%184, %200) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %201 = "arith.muli"(%172, %136) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %202 = "arith.addi"(%137, %201) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %203 = "memref.reinterpret_cast"(%arg17, %202, %136) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %204 = "memref.cast"(%170) : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, #hivm.address_space<cbuf>>
      %205 = "arith.ori"(%182, %143) : (i1, i1) -> i1
      %206 = "memref.subview"(%203, %181, %142) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %207 = "arith.addi"(%181, %97) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %208 = "arith.cmpi"(%207, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %209 = "arith.subi"(%92, %181) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %210 = "arith.select"(%208, %209, %207) : (i1, index, index) -> index
      %211 = "arith.divsi"(%210, %96) : (index, index) -> index
      %212 = "arith.subi"(%102, %211) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %213 = "arith.select"(%208, %212, %211) : (i1, index, index) -> index
      %214 = "arith.addi"(%142, %95) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %215 = "arith.cmpi"(%214, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %216 = "arith.subi"(%91, %142) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %217 = "arith.select"(%215, %216, %214) : (i1, index, index) -> index
      %218 = "arith.divsi"(%217, %94) : (index, index) -> index
      %219 = "arith.subi"(%102, %218) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %220 = "arith.select"(%215, %219, %218) : (i1, index, index) -> index
      %221 = "memref.subview"(%170, %220, %213) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>
      %222 = "memref.cast"(%221) : (memref<?x?x16x8xf32, strided<[512, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%205) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %224 = "memref.collapse_shape"(%170) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4096xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%109, %224) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%167) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%206, %222) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %223 = "arith.cmpi"(%arg26, %108) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%176, %204, %223, %134, %181, %142, %145, %103, %104, %169, %167, %154, %93, %93) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %146 = "memref_ext.alloc_workspace"(%arg15, %113) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%145, %146) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<64x64xf32, #hivm.address_space<gm>>) -> ()
    "annotation.mark"(%146) : (memref<64x64xf32, #hivm.address_space<gm>>) -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<13xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul_bias_gelu_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32, %arg12: i32):
    %0 = "arith.constant"() <{value = 32 : index}> : () -> index
    %1 = "arith.constant"() <{value = 8448 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = -1.000000e+00 : f32}> : () -> f32
    %5 = "arith.constant"() <{value = 64 : index}> : () -> index
    %6 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %9 = "arith.constant"() <{value = 4.471500e-02 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = 1.59576917 : f32}> : () -> f32
    %11 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %12 = "arith.constant"() <{value = 0 : index}> : () -> index
    %13 = "arith.muli"(%arg10, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "arith.muli"(%13, %arg12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %15 = "hivm.hir.get_block_idx"() : () -> i64
    %16 = "arith.trunci"(%15) : (i64) -> i32
    %17 = "arith.muli"(%arg12, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %18 = "arith.addi"(%arg8, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.divsi"(%18, %7) : (i32, i32) -> i32
    %20 = "arith.index_cast"(%arg8) : (i32) -> index
    %21 = "arith.index_cast"(%arg7) : (i32) -> index
    %22 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %23 = "arith.index_cast"(%22) : (i64) -> index
    %24 = "arith.muli"(%23, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    "annotation.mark"(%14) {logical_block_num} : (i32) -> ()
    %25 = "arith.divsi"(%16, %17) : (i32, i32) -> i32
    %26 = "arith.remsi"(%25, %arg10) : (i32, i32) -> i32
    %27 = "arith.divsi"(%26, %19) : (i32, i32) -> i32
    %28 = "arith.muli"(%27, %7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %29 = "arith.remsi"(%26, %19) : (i32, i32) -> i32
    %30 = "arith.muli"(%29, %7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %31 = "arith.index_cast"(%28) : (i32) -> index
    %32 = "memref_ext.alloc_workspace"(%arg2, %12) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64x64xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %33 = "memref.subview"(%32, %24) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %34 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %35 = "memref.collapse_shape"(%33) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %36 = "memref.collapse_shape"(%34) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%35, %36) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %37 = "arith.index_cast"(%30) : (i32) -> index
    %38 = "memref.reinterpret_cast"(%arg5, %37) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<1x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %39 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x64xf32, #hivm.address_space<ub>>
    %40 = "arith.maxsi"(%20, %37) : (index, index) -> index
    %41 = "arith.muli"(%31, %20) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %42 = "arith.addi"(%37, %41) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %43 = "arith.addi"(%37, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %44 = "arith.minsi"(%43, %40) : (index, index) -> index
    %45 = "arith.subi"(%44, %37) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %46 = "arith.subi"(%44, %37) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %47 = "arith.minsi"(%46, %5) : (index, index) -> index
    %48 = "arith.cmpi"(%45, %5) <{predicate = 2 : i64}> : (index, index) -> i1
    %49 = "memref.subview"(%38, %45) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<1x?xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %50 = "memref.subview"(%39, %45) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x64xf32, #hivm.address_space<ub>>, index) -> memref<1x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    "scf.if"(%48) ({
      %90 = "memref.collapse_shape"(%39) <{reassociation = [[0, 1]]}> : (memref<1x64xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%8, %90) <{broadcast_dims = array<i64>}> : (f32, memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %51 = "memref.collapse_shape"(%49) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %52 = "memref.collapse_shape"(%50) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%51, %52, %8, %12) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %53 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%34, %39, %53) <{broadcast = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<32x64xf32, #hivm.address_space<ub>>, memref<1x64xf32, #hivm.address_space<ub>>, memref<32x64xf32, #hivm.address_space<ub>>) -> ()
    %54 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %55 = "memref.collapse_shape"(%53) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    %56 = "memref.collapse_shape"(%54) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%55, %9, %56) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %57 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %58 = "memref.collapse_shape"(%57) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%56, %55, %58) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %59 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %60 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%58, %55, %60) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %61 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %62 = "memref.collapse_shape"(%61) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%55, %60, %62) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %63 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %64 = "memref.collapse_shape"(%63) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%62, %10, %64) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %65 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %66 = "memref.collapse_shape"(%65) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%64, %4, %66) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %67 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %68 = "memref.collapse_shape"(%67) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%66, %8, %68) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %69 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %70 = "memref.collapse_shape"(%69) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vexp"(%68, %70) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %71 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %72 = "memref.collapse_shape"(%71) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%70, %11, %72) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %73 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x64xf32, #hivm.address_space<ub>>
    %74 = "memref.collapse_shape"(%73) <{reassociation = [[0, 1]]}> : (memref<32x64xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vdiv"(%55, %72, %74) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %75 = "memref.reinterpret_cast"(%arg6, %42, %20) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %76 = "memref.subview"(%75, %24) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 32, 64>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<64x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<32x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %77 = "arith.maxsi"(%21, %31) : (index, index) -> index
    %78 = "arith.addi"(%31, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %79 = "arith.minsi"(%78, %77) : (index, index) -> index
    %80 = "arith.subi"(%79, %31) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %81 = "arith.minsi"(%80, %5) : (index, index) -> index
    %82 = "arith.subi"(%79, %31) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %83 = "arith.muli"(%23, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %84 = "arith.minsi"(%82, %5) : (index, index) -> index
    %85 = "arith.minsi"(%84, %83) : (index, index) -> index
    %86 = "arith.subi"(%81, %85) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %87 = "arith.minsi"(%86, %0) : (index, index) -> index
    %88 = "memref.subview"(%73, %87, %47) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf32, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>
    %89 = "memref.subview"(%76, %87, %47) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x64xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%88, %89) {tiled_op} : (memref<?x?xf32, strided<[64, 1]>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<13xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

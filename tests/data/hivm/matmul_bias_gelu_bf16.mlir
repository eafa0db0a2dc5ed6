// examples/triton/products.py, matmul_bias_gelu: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "matmul_bias_gelu_infer_workspace_shape_function"}> ({
    %222 = "arith.constant"() <{value = 65536 : index}> : () -> index
    "func.return"(%222) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "matmul_bias_gelu_infer_task_type_function"}> ({
    %221 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%221) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul_bias_gelu_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xbf16, #hivm.address_space<gm>>, %arg17: memref<?xbf16, #hivm.address_space<gm>>, %arg18: memref<?xbf16, #hivm.address_space<gm>>, %arg19: memref<?xbf16, #hivm.address_space<gm>>, %arg20: i32, %arg21: i32, %arg22: i32, %arg23: i32, %arg24: i32, %arg25: i32):
    %94 = "arith.constant"() <{value = -16 : index}> : () -> index
    %95 = "arith.constant"() <{value = -1 : i64}> : () -> i64
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
    %109 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %110 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %111 = "arith.constant"() <{value = 127 : i32}> : () -> i32
    %112 = "arith.constant"() <{value = 128 : index}> : () -> index
    %113 = "arith.constant"() <{value = 64 : index}> : () -> index
    %114 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %115 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg13) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %116 = "arith.muli"(%arg23, %arg24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %117 = "arith.muli"(%116, %arg25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%117) {logical_block_num} : (i32) -> ()
    %118 = "hivm.hir.get_block_idx"() : () -> i64
    %119 = "arith.trunci"(%118) : (i64) -> i32
    %120 = "arith.muli"(%arg25, %arg24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %121 = "arith.divsi"(%119, %120) : (i32, i32) -> i32
    %122 = "arith.remsi"(%121, %arg23) : (i32, i32) -> i32
    %123 = "arith.addi"(%arg21, %111) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %124 = "arith.divsi"(%123, %110) : (i32, i32) -> i32
    %125 = "arith.divsi"(%122, %124) : (i32, i32) -> i32
    %126 = "arith.muli"(%125, %110) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %127 = "arith.remsi"(%122, %124) : (i32, i32) -> i32
    %128 = "arith.muli"(%127, %110) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %129 = "arith.index_cast"(%126) : (i32) -> index
    %130 = "arith.index_cast"(%arg22) : (i32) -> index
    %131 = "arith.index_cast"(%arg20) : (i32) -> index
    %132 = "arith.maxsi"(%131, %129) : (index, index) -> index
    %133 = "arith.addi"(%129, %112) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %134 = "arith.minsi"(%133, %132) : (index, index) -> index
    %135 = "arith.subi"(%134, %129) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %136 = "arith.minsi"(%135, %112) : (index, index) -> index
    %137 = "arith.cmpi"(%136, %112) <{predicate = 2 : i64}> : (index, index) -> i1
    %138 = "arith.index_cast"(%arg21) : (i32) -> index
    %139 = "arith.index_cast"(%128) : (i32) -> index
    %140 = "arith.maxsi"(%138, %139) : (index, index) -> index
    %141 = "arith.addi"(%139, %112) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %142 = "arith.minsi"(%141, %140) : (index, index) -> index
    %143 = "arith.subi"(%142, %139) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %144 = "arith.minsi"(%143, %112) : (index, index) -> index
    %145 = "arith.cmpi"(%144, %112) <{predicate = 2 : i64}> : (index, index) -> i1
    %146 = "hivm.hir.pointer_cast"(%103) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x8x16x16xf32, #hivm.address_space<cc>>
    %147 = "memref.cast"(%146) : (memref<8x8x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%108, %arg22, %109) ({
    ^bb0(%arg26: i32):
      %149 = "arith.index_cast"(%arg26) : (i32) -> index
      %150 = "arith.cmpi"(%149, %115) <{predicate = 2 : i64}> : (index, index) -> i1
      %151 = "arith.subi"(%102, %149) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %152 = "arith.select"(%150, %151, %149) : (i1, index, index) -> index
      %153 = "arith.divsi"(%152, %113) : (index, index) -> index
      %154 = "arith.subi"(%102, %153) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %155 = "arith.select"(%150, %154, %153) : (i1, index, index) -> index
      %156 = "arith.index_cast"(%155) : (index) -> i64
      %157 = "arith.index_cast"(%arg26) : (i32) -> index
      %158 = "arith.cmpi"(%157, %115) <{predicate = 2 : i64}> : (index, index) -> i1
      %159 = "arith.subi"(%102, %157) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %160 = "arith.select"(%158, %159, %157) : (i1, index, index) -> index
      %161 = "arith.divsi"(%160, %113) : (index, index) -> index
      %162 = "arith.subi"(%102, %161) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %163 = "arith.select"(%158, %162, %161) : (i1, index, index) -> index
      %164 = "arith.remsi"(%163, %101) : (index, index) -> index
      %165 = "arith.cmpi"(%164, %115) <{predicate = 2 : i64}> : (index, index) -> i1
      %166 = "arith.addi"(%164, %101) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %167 = "arith.select"(%165, %166, %164) : (i1, index, index) -> index
      %168 = "arith.index_cast"(%167) : (index) -> i1
      %169 = "arith.select"(%168, %100, %99) : (i1, i64, i64) -> i64
      %170 = "arith.index_cast"(%167) : (index) -> i1
      %171 = "arith.select"(%170, %104, %98) : (i1, i64, i64) -> i64
      %172 = "hivm.hir.pointer_cast"(%106, %105) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<8x4x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%172) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %173 = "hivm.hir.pointer_cast"(%103, %107) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<4x8x16x16xbf16, #hivm.address_space<cbuf>>
      "annotation.mark"(%173) {hivm.multi_buffer = 2 : i32} : (memref<4x8x16x16xbf16, #hivm.address_space<cbuf>>) -> ()
      %174 = "arith.index_cast"(%arg26) : (i32) -> index
      %175 = "arith.muli"(%129, %130) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %176 = "arith.addi"(%174, %175) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %177 = "memref.reinterpret_cast"(%arg16, %176, %130) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<128x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %178 = "memref.cast"(%173) : (memref<4x8x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %179 = "arith.maxsi"(%130, %174) : (index, index) -> index
      %180 = "arith.addi"(%174, %113) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %181 = "arith.minsi"(%180, %179) : (index, index) -> index
      %182 = "arith.subi"(%181, %174) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %183 = "arith.minsi"(%182, %113) : (index, index) -> index
      %184 = "arith.cmpi"(%183, %113) <{predicate = 2 : i64}> : (index, index) -> i1
      %185 = "arith.ori"(%137, %184) : (i1, i1) -> i1
      %186 = "memref.subview"(%177, %136, %183) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<128x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %187 = "arith.addi"(%136, %97) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %188 = "arith.cmpi"(%187, %115) <{predicate = 2 : i64}> : (index, index) -> i1
      %189 = "arith.subi"(%94, %136) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %190 = "arith.select"(%188, %189, %187) : (i1, index, index) -> index
      %191 = "arith.divsi"(%190, %96) : (index, index) -> index
      %192 = "arith.subi"(%102, %191) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %193 = "arith.select"(%188, %192, %191) : (i1, index, index) -> index
      %194 = "arith.addi"(%183, %97) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %195 = "arith.cmpi"(%194, %115) <{predicate = 2 : i64}> : (index, index) -> i1
      %196 = "arith.subi"(%94, %183) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %197 = "arith.select"(%195, %196, %194) : (i1, index, index) -> index
      %198 = "arith.divsi"(%197, %96) : (index, index) -> index
      %199 = "arith.subi"(%102, %198) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %200 = "arith.select"(%195, %199, %198) : (i1, index, index) -> index
      %201 = "memref.subview"(%173, %200, %193) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x8x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[2048, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %202 = "memref.cast"(%201) : (memref<?x?x16x16xbf16, strided<[2048, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%185) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %220 = "memref.collapse_shape"(%173) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x8x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<8192xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%114, %220) <{broadcast_dims = array<i64>}> : (bf16, memref<8192xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%171) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%186, %202) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %203 = "arith.muli"(%174, %138) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %204 = "arith.addi"(%139, %203) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %205 = "memref.reinterpret_cast"(%arg17, %204, %138) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<64x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %206 = "memref.cast"(%172) : (memref<8x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>
      %207 = "arith.ori"(%184, %145) : (i1, i1) -> i1
      %208 = "memref.subview"(%205, %183, %144) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %209 = "arith.addi"(%144, %97) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %210 = "arith.cmpi"(%209, %115) <{predicate = 2 : i64}> : (index, index) -> i1
      %211 = "arith.subi"(%94, %144) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %212 = "arith.select"(%210, %211, %209) : (i1, index, index) -> index
      %213 = "arith.divsi"(%212, %96) : (index, index) -> index
      %214 = "arith.subi"(%102, %213) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %215 = "arith.select"(%210, %214, %213) : (i1, index, index) -> index
      %216 = "memref.subview"(%172, %215, %200) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<8x4x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>
      %217 = "memref.cast"(%216) : (memref<?x?x16x16xbf16, strided<[1024, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
      "scf.if"(%207) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %219 = "memref.collapse_shape"(%172) <{reassociation = [[0, 1, 2, 3]]}> : (memref<8x4x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<8192xbf16, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.vbrc"(%114, %219) <{broadcast_dims = array<i64>}> : (bf16, memref<8192xbf16, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%169) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.nd2nz"(%208, %217) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
      %218 = "arith.cmpi"(%arg26, %108) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "hivm.hir.mmadL1"(%178, %206, %218, %136, %183, %144, %147, %103, %104, %171, %169, %156, %95, %95) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
      "scf.yield"() : () -> ()
    }) {fixpipe_for_mmad_result_already_inserted = true} : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %148 = "memref_ext.alloc_workspace"(%arg15, %115) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<128x128xf32, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%147, %148) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<128x128xf32, #hivm.address_space<gm>>) -> ()
    "annotation.mark"(%148) : (memref<128x128xf32, #hivm.address_space<gm>>) -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<13xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "matmul_bias_gelu_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: memref<?xbf16, #hivm.address_space<gm>>, %arg6: memref<?xbf16, #hivm.address_space<gm>>, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32, %arg12: i32):
    %0 = "arith.constant"() <{value = 64 : index}> : () -> index
    %1 = "arith.constant"() <{value = 33536 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 33024 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = -1.000000e+00 : f32}> : () -> f32
    %6 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %7 = "arith.constant"() <{value = 128 : index}> : () -> index
    %8 = "arith.constant"() <{value = 127 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 4.471500e-02 : f32}> : () -> f32
    %11 = "arith.constant"() <{value = 1.59576917 : f32}> : () -> f32
    %12 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %13 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %14 = "arith.constant"() <{value = 0 : index}> : () -> index
    %15 = "arith.muli"(%arg10, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "arith.muli"(%15, %arg12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "hivm.hir.get_block_idx"() : () -> i64
    %18 = "arith.trunci"(%17) : (i64) -> i32
    %19 = "arith.muli"(%arg12, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %20 = "arith.addi"(%arg8, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %21 = "arith.divsi"(%20, %9) : (i32, i32) -> i32
    %22 = "arith.index_cast"(%arg8) : (i32) -> index
    %23 = "arith.index_cast"(%arg7) : (i32) -> index
    %24 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %25 = "arith.index_cast"(%24) : (i64) -> index
    %26 = "arith.muli"(%25, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    "annotation.mark"(%16) {logical_block_num} : (i32) -> ()
    %27 = "arith.divsi"(%18, %19) : (i32, i32) -> i32
    %28 = "arith.remsi"(%27, %arg10) : (i32, i32) -> i32
    %29 = "arith.divsi"(%28, %21) : (i32, i32) -> i32
    %30 = "arith.muli"(%29, %9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %31 = "arith.remsi"(%28, %21) : (i32, i32) -> i32
    %32 = "arith.muli"(%31, %9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.index_cast"(%30) : (i32) -> index
    %34 = "memref_ext.alloc_workspace"(%arg2, %14) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<128x128xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %35 = "memref.subview"(%34, %26) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 64, 128>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<128x128xf32, #hivm.address_space<gm>>, index) -> memref<64x128xf32, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>
    %36 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %37 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<8192xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %38 = "memref.collapse_shape"(%36) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%37, %38) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<8192xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %39 = "arith.index_cast"(%32) : (i32) -> index
    %40 = "memref.reinterpret_cast"(%arg5, %39) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<128xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %41 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xbf16, #hivm.address_space<ub>>
    %42 = "arith.maxsi"(%22, %39) : (index, index) -> index
    %43 = "arith.muli"(%33, %22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %44 = "arith.addi"(%39, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %45 = "arith.addi"(%39, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %46 = "arith.minsi"(%45, %42) : (index, index) -> index
    %47 = "arith.subi"(%46, %39) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %48 = "arith.subi"(%46, %39) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %49 = "arith.minsi"(%48, %7) : (index, index) -> index
    %50 = "arith.cmpi"(%47, %7) <{predicate = 2 : i64}> : (index, index) -> i1
    %51 = "memref.subview"(%40, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<128xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %52 = "memref.subview"(%41, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<128xbf16, #hivm.address_space<ub>>, index) -> memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%50) ({
      "hivm.hir.vbrc"(%6, %41) <{broadcast_dims = array<i64>}> : (bf16, memref<128xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%51, %52, %6, %14) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>, bf16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %53 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%41, %53) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<128xbf16, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>) -> ()
    %54 = "memref.expand_shape"(%53) <{reassociation = [[0, 1]], static_output_shape = array<i64: 1, 128>}> : (memref<128xf32, #hivm.address_space<ub>>) -> memref<1x128xf32, #hivm.address_space<ub>>
    %55 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%36, %54, %55) <{broadcast = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64x128xf32, #hivm.address_space<ub>>, memref<1x128xf32, #hivm.address_space<ub>>, memref<64x128xf32, #hivm.address_space<ub>>) -> ()
    %56 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %57 = "memref.collapse_shape"(%55) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    %58 = "memref.collapse_shape"(%56) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%57, %10, %58) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, f32, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %59 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %60 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%58, %57, %60) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %61 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %62 = "memref.collapse_shape"(%61) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%60, %57, %62) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %63 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %64 = "memref.collapse_shape"(%63) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%57, %62, %64) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %65 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %66 = "memref.collapse_shape"(%65) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%64, %11, %66) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, f32, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %67 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %68 = "memref.collapse_shape"(%67) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%66, %5, %68) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, f32, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %69 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %70 = "memref.collapse_shape"(%69) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%68, %12, %70) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, f32, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %71 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %72 = "memref.collapse_shape"(%71) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vexp"(%70, %72) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %73 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %74 = "memref.collapse_shape"(%73) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%72, %13, %74) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, f32, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %75 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xf32, #hivm.address_space<ub>>
    %76 = "memref.collapse_shape"(%75) <{reassociation = [[0, 1]]}> : (memref<64x128xf32, #hivm.address_space<ub>>) -> memref<8192xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vdiv"(%57, %74, %76) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>, memref<8192xf32, #hivm.address_space<ub>>) -> ()
    %77 = "memref.reinterpret_cast"(%arg6, %44, %22) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<128x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %78 = "memref.subview"(%77, %26) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 64, 128>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<128x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<64x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %79 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x128xbf16, #hivm.address_space<ub>>
    %80 = "memref.collapse_shape"(%79) <{reassociation = [[0, 1]]}> : (memref<64x128xbf16, #hivm.address_space<ub>>) -> memref<8192xbf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%76, %80) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<8192xf32, #hivm.address_space<ub>>, memref<8192xbf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %81 = "arith.maxsi"(%23, %33) : (index, index) -> index
    %82 = "arith.addi"(%33, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %83 = "arith.minsi"(%82, %81) : (index, index) -> index
    %84 = "arith.subi"(%83, %33) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %85 = "arith.minsi"(%84, %7) : (index, index) -> index
    %86 = "arith.subi"(%83, %33) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %87 = "arith.muli"(%25, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %88 = "arith.minsi"(%86, %7) : (index, index) -> index
    %89 = "arith.minsi"(%88, %87) : (index, index) -> index
    %90 = "arith.subi"(%85, %89) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %91 = "arith.minsi"(%90, %0) : (index, index) -> index
    %92 = "memref.subview"(%79, %91, %49) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x128xbf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>
    %93 = "memref.subview"(%78, %91, %49) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%92, %93) {tiled_op} : (memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>, memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<13xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

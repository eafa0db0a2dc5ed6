// examples/triton/rows.py, rms_norm: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "rms_norm_infer_task_type_function"}> ({
    %83 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%83) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, f32, i32, i32, i32) -> (), sym_name = "rms_norm"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf16, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: f32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    %2 = "arith.constant"() <{value = -1 : index}> : () -> index
    %3 = "arith.constant"() <{value = 18592 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 18560 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 18528 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 16480 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 16448 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 12352 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 20672 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 8256 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 18624 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 6208 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 6176 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %18 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %19 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %20 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %21 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %22 = "arith.muli"(%21, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%22) {logical_block_num} : (i32) -> ()
    %23 = "hivm.hir.get_block_idx"() : () -> i64
    %24 = "arith.trunci"(%23) : (i64) -> i32
    %25 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %26 = "arith.divsi"(%24, %25) : (i32, i32) -> i32
    %27 = "arith.remsi"(%26, %arg9) : (i32, i32) -> i32
    %28 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<1024xf16, strided<[1]>, #hivm.address_space<gm>>
    %29 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf16, #hivm.address_space<ub>>
    %30 = "arith.index_cast"(%arg7) : (i32) -> index
    %31 = "arith.maxsi"(%30, %20) : (index, index) -> index
    %32 = "arith.minsi"(%31, %19) : (index, index) -> index
    %33 = "arith.cmpi"(%32, %19) <{predicate = 2 : i64}> : (index, index) -> i1
    %34 = "memref.subview"(%28, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1]>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<gm>>
    %35 = "memref.subview"(%29, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%33) ({
      "hivm.hir.vbrc"(%18, %29) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%34, %35, %18, %20) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1]>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %36 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%29, %36) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %37 = "arith.sitofp"(%arg7) : (i32) -> f32
    %38 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "memref.store"(%37, %38, %20) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    %39 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "memref.store"(%arg8, %39, %20) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "scf.for"(%27, %arg6, %arg9) ({
    ^bb0(%arg12: i32):
      %40 = "arith.index_cast"(%arg12) : (i32) -> index
      %41 = "arith.index_cast"(%27) : (i32) -> index
      %42 = "arith.index_cast"(%arg9) : (i32) -> index
      %43 = "arith.subi"(%40, %41) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %44 = "arith.cmpi"(%43, %20) <{predicate = 2 : i64}> : (index, index) -> i1
      %45 = "arith.subi"(%2, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %46 = "arith.select"(%44, %45, %43) : (i1, index, index) -> index
      %47 = "arith.divsi"(%46, %42) : (index, index) -> index
      %48 = "arith.subi"(%2, %47) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %49 = "arith.select"(%44, %48, %47) : (i1, index, index) -> index
      %50 = "arith.remsi"(%49, %1) : (index, index) -> index
      %51 = "arith.cmpi"(%50, %20) <{predicate = 2 : i64}> : (index, index) -> i1
      %52 = "arith.addi"(%50, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %53 = "arith.select"(%51, %52, %50) : (i1, index, index) -> index
      %54 = "arith.index_cast"(%53) : (index) -> i1
      %55 = "arith.xori"(%54, %0) : (i1, i1) -> i1
      %56 = "arith.extui"(%55) : (i1) -> i64
      %57 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf16, #hivm.address_space<ub>>
      "annotation.mark"(%57) {hivm.multi_buffer = 2 : i32} : (memref<1024xf16, #hivm.address_space<ub>>) -> ()
      %58 = "hivm.hir.pointer_cast"(%12, %11) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf16, #hivm.address_space<ub>>
      "annotation.mark"(%58) {hivm.multi_buffer = 2 : i32} : (memref<1024xf16, #hivm.address_space<ub>>) -> ()
      %59 = "arith.muli"(%arg12, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %60 = "arith.index_cast"(%59) : (i32) -> index
      %61 = "memref.reinterpret_cast"(%arg3, %60) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %62 = "memref.subview"(%61, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %63 = "memref.subview"(%58, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%33) ({
        "hivm.hir.vbrc"(%18, %58) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.load"(%62, %63, %18, %20) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %64 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"(%56) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%58, %64) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %65 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%64, %64, %65) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %66 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %67 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%65, %66, %67) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %68 = "memref.load"(%66, %20) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %69 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "memref.store"(%68, %69, %20) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %70 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%69, %38, %70) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %71 = "memref.load"(%70, %20) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %72 = "memref.reinterpret_cast"(%arg5, %60) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %73 = "memref.load"(%39, %20) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %74 = "arith.addf"(%71, %73) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %75 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %76 = "math.sqrt"(%74) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "memref.store"(%76, %75, %20) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      %77 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "memref.store"(%17, %77, %20) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%77, %75, %77) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %78 = "memref.load"(%77, %20) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %79 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vmul"(%64, %78, %79) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %80 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%79, %36, %80) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%80, %57) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %81 = "memref.subview"(%57, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      %82 = "memref.subview"(%72, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%81, %82) : (memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%56) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

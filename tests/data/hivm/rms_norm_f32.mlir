// examples/triton/rows.py, rms_norm: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "rms_norm_infer_task_type_function"}> ({
    %82 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%82) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, f32, i32, i32, i32) -> (), sym_name = "rms_norm"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: f32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 2 : index}> : () -> index
    %4 = "arith.constant"() <{value = -1 : index}> : () -> index
    %5 = "arith.constant"() <{value = 22720 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 14528 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 14496 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 14464 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 14432 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 12384 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 12352 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 8256 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 18624 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 4160 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 4128 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %19 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %20 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %21 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %22 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %23 = "arith.muli"(%22, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%23) {logical_block_num} : (i32) -> ()
    %24 = "hivm.hir.get_block_idx"() : () -> i64
    %25 = "arith.trunci"(%24) : (i64) -> i32
    %26 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %27 = "arith.divsi"(%25, %26) : (i32, i32) -> i32
    %28 = "arith.remsi"(%27, %arg9) : (i32, i32) -> i32
    %29 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<1024xf32, strided<[1]>, #hivm.address_space<gm>>
    %30 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
    %31 = "arith.index_cast"(%arg7) : (i32) -> index
    %32 = "arith.maxsi"(%31, %21) : (index, index) -> index
    %33 = "arith.minsi"(%32, %20) : (index, index) -> index
    %34 = "arith.cmpi"(%33, %20) <{predicate = 2 : i64}> : (index, index) -> i1
    %35 = "memref.subview"(%29, %33) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf32, strided<[1]>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<gm>>
    %36 = "memref.subview"(%30, %33) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%34) ({
      "hivm.hir.vbrc"(%19, %30) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%35, %36, %19, %21) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1]>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    %37 = "arith.sitofp"(%arg7) : (i32) -> f32
    %38 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "memref.store"(%37, %38, %21) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    %39 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "memref.store"(%arg8, %39, %21) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%28, %arg6, %arg9) ({
    ^bb0(%arg12: i32):
      %40 = "arith.index_cast"(%arg12) : (i32) -> index
      %41 = "arith.index_cast"(%28) : (i32) -> index
      %42 = "arith.index_cast"(%arg9) : (i32) -> index
      %43 = "arith.subi"(%40, %41) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %44 = "arith.cmpi"(%43, %21) <{predicate = 2 : i64}> : (index, index) -> i1
      %45 = "arith.subi"(%4, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %46 = "arith.select"(%44, %45, %43) : (i1, index, index) -> index
      %47 = "arith.divsi"(%46, %42) : (index, index) -> index
      %48 = "arith.subi"(%4, %47) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %49 = "arith.select"(%44, %48, %47) : (i1, index, index) -> index
      %50 = "arith.remsi"(%49, %3) : (index, index) -> index
      %51 = "arith.cmpi"(%50, %21) <{predicate = 2 : i64}> : (index, index) -> i1
      %52 = "arith.addi"(%50, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %53 = "arith.select"(%51, %52, %50) : (i1, index, index) -> index
      %54 = "arith.index_cast"(%53) : (index) -> i1
      %55 = "arith.select"(%54, %2, %1) : (i1, i64, i64) -> i64
      %56 = "arith.index_cast"(%53) : (index) -> i1
      %57 = "arith.xori"(%56, %0) : (i1, i1) -> i1
      %58 = "arith.extui"(%57) : (i1) -> i64
      %59 = "hivm.hir.pointer_cast"(%6, %5) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "annotation.mark"(%59) {hivm.multi_buffer = 2 : i32} : (memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %60 = "hivm.hir.pointer_cast"(%14, %13) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "annotation.mark"(%60) {hivm.multi_buffer = 2 : i32} : (memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %61 = "arith.muli"(%arg12, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %62 = "arith.index_cast"(%61) : (i32) -> index
      %63 = "memref.reinterpret_cast"(%arg3, %62) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %64 = "memref.subview"(%63, %33) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %65 = "memref.subview"(%60, %33) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%34) ({
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.vbrc"(%19, %60) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%55) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%64, %65, %19, %21) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %66 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%60, %60, %66) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %67 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %68 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%66, %67, %68) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %69 = "memref.load"(%67, %21) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %70 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "memref.store"(%69, %70, %21) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %71 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%70, %38, %71) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %72 = "memref.load"(%71, %21) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %73 = "memref.reinterpret_cast"(%arg5, %62) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %74 = "memref.load"(%39, %21) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %75 = "arith.addf"(%72, %74) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %76 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %77 = "math.sqrt"(%75) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "memref.store"(%77, %76, %21) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      %78 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "memref.store"(%18, %78, %21) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%78, %76, %78) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %79 = "memref.load"(%78, %21) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      "hivm.hir.vmul"(%60, %79, %60) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.wait_flag"(%58) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%60, %30, %59) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.set_flag"(%55) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      %80 = "memref.subview"(%59, %33) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
      %81 = "memref.subview"(%73, %33) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%80, %81) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%58) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

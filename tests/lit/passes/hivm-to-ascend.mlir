// RUN: ascend-opt %s -p 'hivm-to-ascend{grid=4 arguments="x=12288","out=12288","n=3"}' | filecheck %s
// RUN: ascend-opt %s -p 'hivm-to-ascend{grid=4 arguments="x=12288","out=12288","n=0"}' | filecheck %s --check-prefix NONE
// RUN: ascend-opt %s -p 'hivm-to-ascend{grid=60 arguments="x=184320","out=184320","n=3"}' | filecheck %s --check-prefix MORE
// RUN: not ascend-opt %s -p 'hivm-to-ascend{grid=4 arguments="x=12288","n=3"}' 2>&1 | filecheck %s --check-prefix MISSING
// RUN: not ascend-opt %s -p 'hivm-to-ascend{grid=4 arguments="x=12288","out=1","n=3.5"}' 2>&1 | filecheck %s --check-prefix SHARE
// RUN: not ascend-opt %s -p hivm-to-ascend 2>&1 | filecheck %s --check-prefix GRID

// A function becomes a kernel for one launch: its grid, its numbers and the sizes of its tensors are constants.
// CHECK-LABEL: ascend.kernel @rows cores 4 : i64 attributes {core = "aiv", ops = []} {
// CHECK-NEXT:  ^bb0(%x: memref<12288xf32, "gm">, %out: memref<12288xf32, "gm">):
// Two addresses are slots, in turn with the trips of the loop.
// CHECK:         [[B:%.*]] = ascend.buffer {slots = 2 : i64, label = "%buffer", addresses = array<i64: 0, 4096>} : memref<1024xf32, "ub">
// CHECK:         scf.for [[I:%.*]] =
// CHECK-NEXT:      [[TURN:%.*]] = arith.remui [[I]],
// CHECK-NEXT:      [[ODD:%.*]] = arith.cmpi eq, [[TURN]],
// CHECK-NEXT:      [[SLOT:%.*]] = arith.select [[ODD]],
// Rows without a gap are one burst.
// CHECK:           ascend.copy {{.*}} : memref<1024xf32, strided<[1], offset: ?>, "gm">, memref<1024xf32, strided<[1]>, "ub">
// CHECK-NEXT:      ascend.set_flag "MTE2" -> "V"
// CHECK-NEXT:      ascend.wait_flag "MTE2" -> "V"
// A row is a repeat, which gives one element.
// CHECK:           ascend.vec "vcadd"({{.*}}) -> {{.*}} : (memref<16x8x8xf32, strided<[64, 8, 1]>, "ub">) -> memref<16x1x1xf32, strided<[1, 1, 1]>, "ub">
// CHECK-NEXT:      ascend.barrier "V"
// A column that is repeated along rows becomes blocks, in the temporary buffer.
// CHECK:           ascend.vec "vbrcb"({{.*}}) -> {{.*}} : (memref<2x8x1xf32, strided<[8, 1, 1]>, "ub">) -> memref<2x8x8xf32, strided<[64, 8, 1]>, "ub">
// CHECK-NEXT:      ascend.barrier "V"
// CHECK:           ascend.vec "vdiv"({{.*}} : (memref<16x8x8xf32, strided<[64, 8, 1]>, "ub">, memref<16x8x8xf32, strided<[8, ?, 1]>, "ub">) -> memref<16x8x8xf32, strided<[64, 8, 1]>, "ub">
// CHECK:         ascend.end
// CHECK:       func.func @rows.launch(%x: memref<12288xf32, "gm"> {ascend.name = "x"}, %out: memref<12288xf32, "gm"> {ascend.name = "out"}) -> memref<12288xf32, "gm"> {
// CHECK-NEXT:    ascend.launch @rows(%x, %out)
// CHECK-NEXT:    func.return %out

// A loop that makes no trip is not there.
// NONE-LABEL: ascend.kernel @rows
// NONE-NOT:   scf.for
// NONE-NOT:   ascend.copy

// More blocks than cores are taken in rounds.
// MORE: ascend.kernel @rows cores 60 : i64 attributes {core = "aiv", ops = [], rounds} {

// MISSING: hivm-to-ascend.mlir:[[# @LINE + 5]]:3: error: @rows: no number for out; it takes x: pointer to f32, out: pointer to f32, n: i32
// SHARE: hivm-to-ascend.mlir:[[# @LINE + 4]]:3: error: n: i32 is not '3.5'
// GRID: hivm-to-ascend.mlir:[[# @LINE + 3]]:3: error: a grid is one to three numbers of 1 or more, not nothing

"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "rows"}> ({
  ^bb0(%x: memref<?xf32, #hivm.address_space<gm>>, %out: memref<?xf32, #hivm.address_space<gm>>, %n: i32, %gx: i32, %gy: i32, %gz: i32):
    %a0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %a1 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %b = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %t = "arith.constant"() <{value = 8704 : i64}> : () -> i64
    %zero = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %one = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %size = "arith.constant"() <{value = 1024 : i32}> : () -> i32
    %first = "arith.constant"() <{value = 0 : index}> : () -> index
    %block = "hivm.hir.get_block_idx"() : () -> i64
    %row = "arith.trunci"(%block) : (i64) -> i32
    %start = "arith.muli"(%row, %n) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "scf.for"(%zero, %n, %one) ({
    ^bb1(%i: i32):
      %buffer = "hivm.hir.pointer_cast"(%a0, %a1) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<16x64xf32, #hivm.address_space<ub>>
      %sum = "hivm.hir.pointer_cast"(%b) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x1xf32, #hivm.address_space<ub>>
      %room = "hivm.hir.pointer_cast"(%t) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xf32, #hivm.address_space<ub>>
      %index = "arith.addi"(%start, %i) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %at = "arith.muli"(%index, %size) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %offset = "arith.index_cast"(%at) : (i32) -> index
      %from = "memref.reinterpret_cast"(%x, %offset) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 16, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<16x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %to = "memref.reinterpret_cast"(%out, %offset) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 16, 64>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<16x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.load"(%from, %buffer) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (memref<16x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<16x64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%buffer, %sum) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1>}> : (memref<16x64xf32, #hivm.address_space<ub>>, memref<16x1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%buffer, %sum, %buffer, %room) <{broadcast = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<16x64xf32, #hivm.address_space<ub>>, memref<16x1xf32, #hivm.address_space<ub>>, memref<16x64xf32, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%buffer, %to) : (memref<16x64xf32, #hivm.address_space<ub>>, memref<16x64xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>} : () -> ()
}) : () -> ()

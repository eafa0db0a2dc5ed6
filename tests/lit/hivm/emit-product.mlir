// RUN: ascend-opt %s -p ascend-to-hivm --print-op-generic | filecheck %s

// Loads of L0, a product and the flags between them are one mmadL1. It waits for its operands by events 0 and 1, and gives
// the first one back by event 2. Its loads run ahead by two flags of the Cube. Its unit flags are those of the last product.
// CHECK:       sym_name = "k"
// CHECK:       "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, wait_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>}>
// CHECK:       "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, wait_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>}>
// CHECK:       "hivm.hir.nd2nz"
// CHECK-NOT:   load2d
// CHECK:       [[FIRST:%.*]] = "arith.index_cast"(%zero) : (index) -> i64
// CHECK-NEXT:  [[SECOND:%.*]] = "arith.index_cast"(%one) : (index) -> i64
// CHECK-NEXT:  [[THIRD:%.*]] = "arith.index_cast"(%two) : (index) -> i64
// CHECK-NEXT:  [[NONE:%.*]] = "arith.constant"() <{value = -1 : i64}> : () -> i64
// CHECK:       "hivm.hir.mmadL1"({{%.*}}, {{%.*}}, %yes, %n, %n, %n, {{%.*}}, [[FIRST]], [[SECOND]], [[THIRD]], [[NONE]], {{%.*}}, {{%.*}}, {{%.*}}, %yes, {{%.*}}) <{unit_flag_mode = [#hivm.unit_flag<ENABLED_WITH_UPDATE>, #hivm.unit_flag<ENABLED_WITHOUT_UPDATE>], operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 2, 0>}> : (memref<2x2x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
// CHECK-NEXT:  "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID2>}>
// CHECK:       "hivm.hir.fixpipe"({{%.*}}, {{%.*}}) <{dma_mode = #hivm.dma_mode<nz2nd>, pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>, pre_relu = #hivm.fixpipe_pre_relu_mode<NO_RELU>, unit_flag_mode = [#hivm.unit_flag<ENABLED_WITH_UPDATE>]
// CHECK:       "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, wait_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>}>
builtin.module attributes {ascend.target = "ascend910b"} {
  ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
  ^bb0(%x: memref<32x32xf16, "gm">, %w: memref<32x32xf16, "gm">, %y: memref<32x32xf16, "gm">):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %n = arith.constant 32 : index
    %yes = arith.constant 1 : i1
    %a = ascend.buffer {addresses = array<i64: 0>} : memref<1024xf16, "l1">
    %b = ascend.buffer {addresses = array<i64: 2048>} : memref<1024xf16, "l1">
    %l = ascend.buffer {addresses = array<i64: 0>} : memref<1024xf16, "l0a">
    %r = ascend.buffer {addresses = array<i64: 0>} : memref<1024xf16, "l0b">
    %c = ascend.buffer {addresses = array<i64: 0>} : memref<1024xf32, "l0c">
    %xv = ascend.view %x {static_sizes = array<i64: 32, 32>, strides = array<i64: 32, 1>} : memref<32x32xf16, "gm"> -> memref<32x32xf16, strided<[32, 1]>, "gm">
    %av = ascend.view %a {static_sizes = array<i64: 2, 32, 16>, strides = array<i64: 512, 16, 1>} : memref<1024xf16, "l1"> -> memref<2x32x16xf16, strided<[512, 16, 1]>, "l1">
    %wv = ascend.view %w {static_sizes = array<i64: 32, 32>, strides = array<i64: 32, 1>} : memref<32x32xf16, "gm"> -> memref<32x32xf16, strided<[32, 1]>, "gm">
    %bv = ascend.view %b {static_sizes = array<i64: 2, 32, 16>, strides = array<i64: 512, 16, 1>} : memref<1024xf16, "l1"> -> memref<2x32x16xf16, strided<[512, 16, 1]>, "l1">
    ascend.copy %xv, %av {nd2nz} : memref<32x32xf16, strided<[32, 1]>, "gm">, memref<2x32x16xf16, strided<[512, 16, 1]>, "l1">
    ascend.set_flag "MTE2" -> "MTE1", %zero
    ascend.copy %wv, %bv {nd2nz} : memref<32x32xf16, strided<[32, 1]>, "gm">, memref<2x32x16xf16, strided<[512, 16, 1]>, "l1">
    ascend.set_flag "MTE2" -> "MTE1", %one
    %a0 = ascend.view %a {static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 512, 16, 1>} : memref<1024xf16, "l1"> -> memref<2x16x16xf16, strided<[512, 16, 1]>, "l1">
    %l0 = ascend.view %l {static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 256, 16, 1>} : memref<1024xf16, "l0a"> -> memref<2x16x16xf16, strided<[256, 16, 1]>, "l0a">
    %a1 = ascend.view %a {start = 256 : i64, static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 512, 16, 1>} : memref<1024xf16, "l1"> -> memref<2x16x16xf16, strided<[512, 16, 1], offset: 256>, "l1">
    %l1 = ascend.view %l {start = 512 : i64, static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 256, 16, 1>} : memref<1024xf16, "l0a"> -> memref<2x16x16xf16, strided<[256, 16, 1], offset: 512>, "l0a">
    %b0 = ascend.view %b {static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 512, 16, 1>} : memref<1024xf16, "l1"> -> memref<2x16x16xf16, strided<[512, 16, 1]>, "l1">
    %r0 = ascend.view %r {static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 256, 16, 1>} : memref<1024xf16, "l0b"> -> memref<2x16x16xf16, strided<[256, 16, 1]>, "l0b">
    %b1 = ascend.view %b {start = 256 : i64, static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 512, 16, 1>} : memref<1024xf16, "l1"> -> memref<2x16x16xf16, strided<[512, 16, 1], offset: 256>, "l1">
    %r1 = ascend.view %r {start = 512 : i64, static_sizes = array<i64: 2, 16, 16>, strides = array<i64: 256, 16, 1>} : memref<1024xf16, "l0b"> -> memref<2x16x16xf16, strided<[256, 16, 1], offset: 512>, "l0b">
    %lv = ascend.view %l {static_sizes = array<i64: 2, 2, 16, 16>, strides = array<i64: 512, 256, 16, 1>} : memref<1024xf16, "l0a"> -> memref<2x2x16x16xf16, strided<[512, 256, 16, 1]>, "l0a">
    %rv = ascend.view %r {static_sizes = array<i64: 2, 2, 16, 16>, strides = array<i64: 512, 256, 16, 1>} : memref<1024xf16, "l0b"> -> memref<2x2x16x16xf16, strided<[512, 256, 16, 1]>, "l0b">
    %cv = ascend.view %c {static_sizes = array<i64: 2, 32, 16>, strides = array<i64: 512, 16, 1>} : memref<1024xf32, "l0c"> -> memref<2x32x16xf32, strided<[512, 16, 1]>, "l0c">
    ascend.wait_flag "MTE2" -> "MTE1", %zero
    ascend.load2d %a0, %l0 : memref<2x16x16xf16, strided<[512, 16, 1]>, "l1">, memref<2x16x16xf16, strided<[256, 16, 1]>, "l0a">
    ascend.load2d %a1, %l1 : memref<2x16x16xf16, strided<[512, 16, 1], offset: 256>, "l1">, memref<2x16x16xf16, strided<[256, 16, 1], offset: 512>, "l0a">
    ascend.set_flag "MTE1" -> "MTE2", %two
    ascend.wait_flag "MTE2" -> "MTE1", %one
    ascend.load2d %b0, %r0 {transpose} : memref<2x16x16xf16, strided<[512, 16, 1]>, "l1">, memref<2x16x16xf16, strided<[256, 16, 1]>, "l0b">
    ascend.load2d %b1, %r1 {transpose} : memref<2x16x16xf16, strided<[512, 16, 1], offset: 256>, "l1">, memref<2x16x16xf16, strided<[256, 16, 1], offset: 512>, "l0b">
    ascend.set_flag "MTE1" -> "M", %zero
    ascend.wait_flag "MTE1" -> "M", %zero
    ascend.mmad %lv, %rv, %cv size %n, %n, %n init %yes unit %yes : memref<2x2x16x16xf16, strided<[512, 256, 16, 1]>, "l0a">, memref<2x2x16x16xf16, strided<[512, 256, 16, 1]>, "l0b">, memref<2x32x16xf32, strided<[512, 16, 1]>, "l0c">
    ascend.wait_flag "MTE1" -> "MTE2", %two
    %yv = ascend.view %y {static_sizes = array<i64: 32, 32>, strides = array<i64: 32, 1>} : memref<32x32xf16, "gm"> -> memref<32x32xf16, strided<[32, 1]>, "gm">
    ascend.fixpipe %cv, %yv {unit_flag} : memref<2x32x16xf32, strided<[512, 16, 1]>, "l0c">, memref<32x32xf16, strided<[32, 1]>, "gm">
    ascend.end
  }
  func.func @main(%x: memref<32x32xf16, "gm"> {ascend.name = "x"}, %w: memref<32x32xf16, "gm"> {ascend.name = "w"}, %y: memref<32x32xf16, "gm"> {ascend.name = "y"}) {
    ascend.launch @k(%x, %w, %y) : memref<32x32xf16, "gm">, memref<32x32xf16, "gm">, memref<32x32xf16, "gm">
    func.return
  }
}

// RUN: ascend-opt %s -p ascend-to-hivm --print-op-generic | filecheck %s

// A kernel as a function of HIVM: slots are places that the number of the trip chooses among, views are parts of them.
// CHECK:       sym_name = "k"
// CHECK:       [[FIRST:%.*]] = "hivm.hir.pointer_cast"({{%.*}}) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
// CHECK:       [[SECOND:%.*]] = "hivm.hir.pointer_cast"
// CHECK:       "scf.for"
// CHECK:       [[SLOT:%.*]] = "arith.select"({{%.*}}, [[SECOND]], [[FIRST]])
// CHECK-NEXT:  "hivm.hir.load"({{%.*}}, [[SLOT]])
// CHECK-NEXT:  "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, wait_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>}>
// CHECK-NEXT:  "hivm.hir.wait_flag"
// CHECK:       "hivm.hir.vadd"([[SLOT]], {{%.*}}, [[SLOT]])
// CHECK:       "hivm.hir.store"([[SLOT]],
// CHECK:       blocks = 2 : i64
builtin.module attributes {ascend.target = "ascend910b"} {
  ascend.kernel @k cores 2 : i64 attributes {core = "aiv"} {
  ^bb0(%x: memref<256xf32, "gm">):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %size = arith.constant 64 : index
    %a = ascend.buffer {slots = 2 : i64, addresses = array<i64: 0, 512>} : memref<64xf32, "ub">
    scf.for %i = %zero to %two step %one {
      %slot = ascend.next_slot %a : memref<64xf32, "ub">
      %at = arith.muli %i, %size : index
      %xv = ascend.view %x offset %at {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<256xf32, "gm"> -> memref<64xf32, strided<[1], offset: ?>, "gm">
      %av = ascend.view %a slot %slot {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf32, "ub"> -> memref<64xf32, strided<[1]>, "ub">
      ascend.copy %xv, %av : memref<64xf32, strided<[1], offset: ?>, "gm">, memref<64xf32, strided<[1]>, "ub">
      ascend.set_flag "MTE2" -> "V", %zero
      ascend.wait_flag "MTE2" -> "V", %zero
      ascend.vec "vadds"(%av) -> %av scalar 1.0 : f32 : (memref<64xf32, strided<[1]>, "ub">) -> memref<64xf32, strided<[1]>, "ub">
      ascend.barrier "ALL"
      ascend.copy %av, %xv : memref<64xf32, strided<[1]>, "ub">, memref<64xf32, strided<[1], offset: ?>, "gm">
    }
    ascend.end
  }
  func.func @main(%x: memref<256xf32, "gm"> {ascend.name = "x"}) {
    ascend.launch @k(%x) : memref<256xf32, "gm">
    func.return
  }
}

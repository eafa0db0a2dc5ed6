// RUN: ascend-opt %s --target=ascend910 -p ascend-insert-sync | filecheck %s
// RUN: ascend-opt %s --target=ascend910 -p ascend-insert-sync,ascend-insert-sync | filecheck %s

// Load, compute, store: a flag from pipe to pipe, and a barrier between two instructions of one.
// CHECK-LABEL: ascend.kernel @straight
// CHECK:         ascend.copy [[X:%.*]], [[A:%.*]] : {{.*}}"gm">, {{.*}}"ub">
// CHECK-NEXT:    ascend.set_flag "MTE2" -> "V", [[E:%.*]]
// CHECK-NEXT:    ascend.wait_flag "MTE2" -> "V", [[E]]
// CHECK-NEXT:    ascend.vec "vabs"([[A]]) -> [[A]]
// CHECK-NEXT:    ascend.barrier "V"
// CHECK-NEXT:    ascend.vec "vrelu"([[A]]) -> [[A]]
// CHECK-NEXT:    ascend.set_flag "V" -> "MTE3", [[F:%.*]]
// CHECK-NEXT:    ascend.wait_flag "V" -> "MTE3", [[F]]
// CHECK-NEXT:    ascend.copy [[A]]
// CHECK-NOT:     ascend.set_flag
// CHECK:         ascend.end
ascend.kernel @straight cores 1 : i64 {
^bb0(%x: memref<64xf16, "gm">, %y: memref<64xf16, "gm">):
  %a = ascend.buffer {addresses = array<i64: 0>} : memref<64xf16, "ub">
  %g = ascend.view %x {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "gm"> -> memref<64xf16, strided<[1]>, "gm">
  %h = ascend.view %y {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "gm"> -> memref<64xf16, strided<[1]>, "gm">
  %v = ascend.view %a {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
  ascend.copy %g, %v : memref<64xf16, strided<[1]>, "gm">, memref<64xf16, strided<[1]>, "ub">
  ascend.vec "vabs"(%v) -> %v : (memref<64xf16, strided<[1]>, "ub">) -> memref<64xf16, strided<[1]>, "ub">
  ascend.vec "vrelu"(%v) -> %v : (memref<64xf16, strided<[1]>, "ub">) -> memref<64xf16, strided<[1]>, "ub">
  ascend.copy %v, %h : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1]>, "gm">
  ascend.end
}

// In a loop with one slot the next load waits until the store has read it: the flag is up before the first trip, and
// lowered after the last.
// CHECK-LABEL: ascend.kernel @loop
// CHECK:         ascend.set_flag "MTE3" -> "MTE2", [[E:%.*]]
// CHECK-NEXT:    scf.for
// CHECK:           ascend.wait_flag "MTE3" -> "MTE2", [[E]]
// CHECK-NEXT:      ascend.copy {{.*}}"gm">, {{.*}}"ub">
// CHECK-NEXT:      ascend.set_flag "MTE2" -> "MTE3", [[F:%.*]]
// CHECK:           ascend.wait_flag "MTE2" -> "MTE3", [[F]]
// CHECK-NEXT:      ascend.copy {{.*}}"ub">, {{.*}}"gm">
// CHECK-NEXT:      ascend.set_flag "MTE3" -> "MTE2", [[E]]
// CHECK:         }
// CHECK-NEXT:    ascend.wait_flag "MTE3" -> "MTE2", [[E]]
ascend.kernel @loop cores 1 : i64 {
^bb0(%x: memref<512xf16, "gm">, %y: memref<512xf16, "gm">):
  %zero = arith.constant 0 : index
  %eight = arith.constant 512 : index
  %step = arith.constant 64 : index
  %a = ascend.buffer {addresses = array<i64: 0>} : memref<64xf16, "ub">
  scf.for %i = %zero to %eight step %step {
    %s = ascend.next_slot %a : memref<64xf16, "ub">
    %g = ascend.view %x offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<512xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %h = ascend.view %y offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<512xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %v = ascend.view %a slot %s {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
    ascend.copy %g, %v : memref<64xf16, strided<[1], offset: ?>, "gm">, memref<64xf16, strided<[1]>, "ub">
    ascend.copy %v, %h : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: ?>, "gm">
  }
  ascend.end
}

// Two slots: an event for each, chosen by the slot; both are up before the loop.
// CHECK-LABEL: ascend.kernel @ping_pong
// CHECK:         ascend.set_flag "MTE3" -> "MTE2", [[E0:%.*]]
// CHECK-NEXT:    ascend.set_flag "MTE3" -> "MTE2", [[E1:%.*]]
// CHECK-NEXT:    scf.for
// CHECK:           [[S:%.*]] = ascend.next_slot
// CHECK:           ascend.wait_flag "MTE3" -> "MTE2", [[S]]
// CHECK:           ascend.set_flag "MTE3" -> "MTE2", [[S]]
// CHECK:         }
ascend.kernel @ping_pong cores 1 : i64 {
^bb0(%x: memref<512xf16, "gm">, %y: memref<512xf16, "gm">):
  %zero = arith.constant 0 : index
  %eight = arith.constant 512 : index
  %step = arith.constant 64 : index
  %a = ascend.buffer {slots = 2 : i64, addresses = array<i64: 0, 128>} : memref<64xf16, "ub">
  scf.for %i = %zero to %eight step %step {
    %s = ascend.next_slot %a : memref<64xf16, "ub">
    %g = ascend.view %x offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<512xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %h = ascend.view %y offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<512xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %v = ascend.view %a slot %s {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
    ascend.copy %g, %v : memref<64xf16, strided<[1], offset: ?>, "gm">, memref<64xf16, strided<[1]>, "ub">
    ascend.copy %v, %h : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: ?>, "gm">
  }
  ascend.end
}

// Operands may be whole buffers and tensors: passes take a view of them.
// CHECK-LABEL: ascend.kernel @whole
// CHECK:         ascend.copy {{%.*}}, {{%.*}} : memref<512xf16, strided<[1]>, "gm">, memref<512xf16, strided<[1]>, "ub">
// CHECK-NEXT:    ascend.set_flag "MTE2" -> "MTE3"
// CHECK:         ascend.wait_flag "MTE2" -> "MTE3"
ascend.kernel @whole cores 1 : i64 {
^bb0(%x: memref<512xf16, "gm">, %y: memref<512xf16, "gm">):
  %a = ascend.buffer {label = "a", addresses = array<i64: 0>} : memref<512xf16, "ub">
  ascend.copy %x, %a : memref<512xf16, "gm">, memref<512xf16, "ub">
  ascend.copy %a, %y : memref<512xf16, "ub">, memref<512xf16, "gm">
  ascend.end
}

// What follows the loop in another buffer is loaded before the flag is lowered: it need not wait for the last store.
// CHECK-LABEL: ascend.kernel @late_drain
// CHECK:         ascend.set_flag "MTE3" -> "MTE2", [[E:%.*]]
// CHECK-NEXT:    scf.for
// CHECK:         {{^ +\}$}}
// CHECK-NEXT:    {{%.*}} = ascend.view
// CHECK:         ascend.copy {{.*}}"gm">, {{.*}}"ub">
// CHECK-NEXT:    ascend.set_flag "MTE2" -> "MTE3", [[F:%.*]]
// CHECK-NEXT:    ascend.wait_flag "MTE3" -> "MTE2", [[E]]
// CHECK-NEXT:    ascend.wait_flag "MTE2" -> "MTE3", [[F]]
// CHECK-NEXT:    ascend.copy {{.*}}"ub">, {{.*}}"gm">
ascend.kernel @late_drain cores 1 : i64 {
^bb0(%x: memref<576xf16, "gm">, %y: memref<576xf16, "gm">):
  %zero = arith.constant 0 : index
  %eight = arith.constant 512 : index
  %step = arith.constant 64 : index
  %a = ascend.buffer {addresses = array<i64: 0>} : memref<64xf16, "ub">
  %b = ascend.buffer {addresses = array<i64: 128>} : memref<64xf16, "ub">
  scf.for %i = %zero to %eight step %step {
    %g = ascend.view %x offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %h = ascend.view %y offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %v = ascend.view %a {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
    ascend.copy %g, %v : memref<64xf16, strided<[1], offset: ?>, "gm">, memref<64xf16, strided<[1]>, "ub">
    ascend.copy %v, %h : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: ?>, "gm">
  }
  %p = ascend.view %x {start = 512 : i64, static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: 512>, "gm">
  %q = ascend.view %y {start = 512 : i64, static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: 512>, "gm">
  %w = ascend.view %b {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
  ascend.copy %p, %w : memref<64xf16, strided<[1], offset: 512>, "gm">, memref<64xf16, strided<[1]>, "ub">
  ascend.copy %w, %q : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: 512>, "gm">
  ascend.end
}

// In the bytes that the last store reads it has to wait, and the flag is lowered directly behind the loop.
// CHECK-LABEL: ascend.kernel @same_bytes
// CHECK:         ascend.set_flag "MTE3" -> "MTE2", [[E:%.*]]
// CHECK-NEXT:    scf.for
// CHECK:         {{^ +\}$}}
// CHECK-NEXT:    ascend.wait_flag "MTE3" -> "MTE2", [[E]]
// CHECK:         ascend.copy {{.*}}"gm">, {{.*}}"ub">
ascend.kernel @same_bytes cores 1 : i64 {
^bb0(%x: memref<576xf16, "gm">, %y: memref<576xf16, "gm">):
  %zero = arith.constant 0 : index
  %eight = arith.constant 512 : index
  %step = arith.constant 64 : index
  %a = ascend.buffer {addresses = array<i64: 0>} : memref<64xf16, "ub">
  %b = ascend.buffer {addresses = array<i64: 64>} : memref<64xf16, "ub">
  scf.for %i = %zero to %eight step %step {
    %g = ascend.view %x offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %h = ascend.view %y offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %v = ascend.view %a {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
    ascend.copy %g, %v : memref<64xf16, strided<[1], offset: ?>, "gm">, memref<64xf16, strided<[1]>, "ub">
    ascend.copy %v, %h : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: ?>, "gm">
  }
  %p = ascend.view %x {start = 512 : i64, static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: 512>, "gm">
  %q = ascend.view %y {start = 512 : i64, static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: 512>, "gm">
  %w = ascend.view %b {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
  ascend.copy %p, %w : memref<64xf16, strided<[1], offset: 512>, "gm">, memref<64xf16, strided<[1]>, "ub">
  ascend.copy %w, %q : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: 512>, "gm">
  ascend.end
}

// Of two flags the one that orders the bytes of the tail is lowered at once, the other one behind its load.
// CHECK-LABEL: ascend.kernel @one_of_two
// CHECK:         {{^ +\}$}}
// CHECK-NEXT:    ascend.wait_flag "MTE3" -> "MTE2"
// CHECK-NEXT:    {{%.*}} = ascend.view
// CHECK:         ascend.copy {{.*}}"gm">, {{.*}}"ub">
// CHECK-NEXT:    ascend.set_flag "MTE2" -> "MTE3"
// CHECK-NEXT:    ascend.wait_flag "V" -> "MTE2"
ascend.kernel @one_of_two cores 1 : i64 {
^bb0(%x: memref<576xf16, "gm">, %y: memref<576xf16, "gm">):
  %zero = arith.constant 0 : index
  %eight = arith.constant 512 : index
  %step = arith.constant 64 : index
  %a = ascend.buffer {addresses = array<i64: 0>} : memref<64xf16, "ub">
  %b = ascend.buffer {addresses = array<i64: 128>} : memref<64xf16, "ub">
  %c = ascend.buffer {addresses = array<i64: 0>} : memref<64xf16, "ub">
  %d = ascend.buffer {addresses = array<i64: 256>} : memref<64xf16, "ub">
  scf.for %i = %zero to %eight step %step {
    %g = ascend.view %x offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %h = ascend.view %y offset %i {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: ?>, "gm">
    %v = ascend.view %a {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
    %w = ascend.view %b {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
    %u = ascend.view %d {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
    ascend.copy %g, %v : memref<64xf16, strided<[1], offset: ?>, "gm">, memref<64xf16, strided<[1]>, "ub">
    ascend.copy %v, %h : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: ?>, "gm">
    ascend.copy %g, %w : memref<64xf16, strided<[1], offset: ?>, "gm">, memref<64xf16, strided<[1]>, "ub">
    ascend.vec "vabs"(%w) -> %u : (memref<64xf16, strided<[1]>, "ub">) -> memref<64xf16, strided<[1]>, "ub">
  }
  %p = ascend.view %x {start = 512 : i64, static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: 512>, "gm">
  %q = ascend.view %y {start = 512 : i64, static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<576xf16, "gm"> -> memref<64xf16, strided<[1], offset: 512>, "gm">
  %t = ascend.view %c {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf16, "ub"> -> memref<64xf16, strided<[1]>, "ub">
  ascend.copy %p, %t : memref<64xf16, strided<[1], offset: 512>, "gm">, memref<64xf16, strided<[1]>, "ub">
  ascend.copy %t, %q : memref<64xf16, strided<[1]>, "ub">, memref<64xf16, strided<[1], offset: 512>, "gm">
  ascend.end
}

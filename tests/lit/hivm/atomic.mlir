// RUN: ascend-opt %s -p 'hivm-to-ascend{grid=2 arguments="out=64"}' | filecheck %s
// RUN: sed 's/atomic_kind<max>/atomic_kind<xchg>/' %s > %t
// RUN: not ascend-opt %t -p 'hivm-to-ascend{grid=2 arguments="out=64"}' 2>&1 | filecheck %s --check-prefix OTHER

// A store joins its elements to those in GM.
// CHECK: ascend.copy {{.*}} {atomic = "max"} : memref<64xf32, strided<[1]>, "ub">, memref<64xf32, strided<[1]>, "gm">

// What the DMA has not is refused.
// OTHER: error: hivm.hir.store: atomic xchg is not taken: the DMA has add, max, min

"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "most"}> ({
  ^bb0(%out: memref<?xf32, #hivm.address_space<gm>>, %gx: i32, %gy: i32, %gz: i32):
    %a = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %one = "arith.constant"() <{value = 1.0 : f32}> : () -> f32
    %x = "hivm.hir.pointer_cast"(%a) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
    %to = "memref.reinterpret_cast"(%out) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<64xf32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.vbrc"(%one, %x) <{broadcast_dims = array<i64>}> : (f32, memref<64xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%x, %to) <{atomic_kind = #hivm.atomic_kind<max>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "func.return"() : () -> ()
  }) {hivm.func_core_type = #hivm.func_core_type<AIV>} : () -> ()
}) : () -> ()

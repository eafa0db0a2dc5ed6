// RUN: ascend-opt %s -p 'ascend-to-hivm' | filecheck %s

// A store that joins its elements to those in GM says how.
// CHECK: "hivm.hir.store"({{.*}}) <{atomic_kind = #hivm.atomic_kind<add>
builtin.module attributes {ascend.target = "ascend910b"} {
  ascend.kernel @k cores 2 : i64 attributes {core = "aiv"} {
  ^bb0(%out: memref<64xf32, "gm">):
    %a = ascend.buffer {addresses = array<i64: 0>} : memref<64xf32, "ub">
    %av = ascend.view %a {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf32, "ub"> -> memref<64xf32, strided<[1]>, "ub">
    %ov = ascend.view %out {static_sizes = array<i64: 64>, strides = array<i64: 1>} : memref<64xf32, "gm"> -> memref<64xf32, strided<[1]>, "gm">
    ascend.vec "vdup"() -> %av scalar 1.0 : f32 : () -> memref<64xf32, strided<[1]>, "ub">
    ascend.copy %av, %ov {atomic = "add"} : memref<64xf32, strided<[1]>, "ub">, memref<64xf32, strided<[1]>, "gm">
    ascend.end
  }
  func.func @main(%out: memref<64xf32, "gm">) -> memref<64xf32, "gm"> {
    ascend.launch @k(%out) : memref<64xf32, "gm">
    func.return %out : memref<64xf32, "gm">
  }
}

// RUN: ascend-opt %s -p 'hivm-to-ascend{grid=2 arguments="y=224"}' | filecheck %s

// A product has unit flags where a mode's condition holds: both ways are there where only a core knows. A bias is put into its
// table once, with the first part of K. Of the last fractals, rows past the real ones are nothing. FixPipe reads what its
// result has.
// CHECK:       [[SEVEN:%.*]] = arith.constant 7 : index
// CHECK:       [[LAST:%.*]] = arith.cmpi eq,
// CHECK:       ascend.copy {{%.*}}, {{%.*}} : memref<32xf16, strided<[1]>, "l1">, memref<32xf32, strided<[1]>, "bt">
// CHECK-NOT:   "bt"
// CHECK:       scf.if [[LAST]] {
// CHECK-NEXT:    ascend.mmad {{%.*}}, {{%.*}}, {{%.*}} size [[SEVEN]], {{%.*}}, {{%.*}} init {{%.*}} unit {{%.*}} : {{.*}} bias {{%.*}} : memref<32xf32, strided<[1]>, "bt">
// CHECK-NEXT:  } else {
// CHECK-NEXT:    ascend.mmad {{%.*}}, {{%.*}}, {{%.*}} size [[SEVEN]], {{%.*}}, {{%.*}} init {{%[^ ]*}} : {{.*}} bias
// CHECK-NEXT:  }
// CHECK:       ascend.fixpipe {{%.*}}, {{%.*}} {unit_flag} : memref<2x7x16xf32, strided<[256, 16, 1]>, "l0c">, memref<7x32xf16, strided<[32, 1]>, "gm">
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "k"}> ({
  ^bb0(%y: memref<?xf16, #hivm.address_space<gm>>, %gx: i32, %gy: i32, %gz: i32):
    %zero = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %second = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %third = "arith.constant"() <{value = 3072 : i64}> : () -> i64
    %none = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %m = "arith.constant"() <{value = 7 : index}> : () -> index
    %n = "arith.constant"() <{value = 32 : index}> : () -> index
    %yes = "arith.constant"() <{value = true}> : () -> i1
    %a = "hivm.hir.pointer_cast"(%zero) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x1x16x16xf16, #hivm.address_space<cbuf>>
    %b = "hivm.hir.pointer_cast"(%second) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %row = "hivm.hir.pointer_cast"(%third) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xf16, #hivm.address_space<cbuf>>
    %c = "hivm.hir.pointer_cast"(%zero) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x1x16x16xf32, #hivm.address_space<cc>>
    %block = "hivm.hir.get_block_idx"() : () -> i64
    %last = "arith.cmpi"(%block, %zero) <{predicate = 0 : i64}> : (i64, i64) -> i1
    "hivm.hir.mmadL1"(%a, %b, %yes, %m, %n, %n, %c, %none, %none, %none, %none, %none, %none, %none, %last, %row) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 1, 1>, unit_flag_mode = [#hivm.unit_flag<ENABLED_WITH_UPDATE>]}> : (memref<2x1x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<2x1x16x16xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i1, memref<32xf16, #hivm.address_space<cbuf>>) -> ()
    %rows = "memref.reinterpret_cast"(%y) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 7, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<7x32xf16, strided<[32, 1]>, #hivm.address_space<gm>>
    "hivm.hir.fixpipe"(%c, %rows) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, pre_quant = #hivm.fixpipe_pre_quant_mode<F322F16>, unit_flag_mode = [#hivm.unit_flag<ENABLED_WITH_UPDATE>]}> : (memref<2x1x16x16xf32, #hivm.address_space<cc>>, memref<7x32xf16, strided<[32, 1]>, #hivm.address_space<gm>>) -> ()
    "func.return"() : () -> ()
  }) {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>} : () -> ()
}) : () -> ()

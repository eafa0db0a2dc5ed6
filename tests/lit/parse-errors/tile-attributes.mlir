// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines --strict-whitespace
// Mistakes in attributes of the tile level: one message, at the place.

// A field that there is not.
//      CHECK:{{.*}}tile-attributes.mlir:8:85: error: unknown field 'swizle'; did you mean 'swizzle'?
// CHECK-NEXT:func.func @f() attributes {a = #tile.grid<extents = [4], tiles = [1], tails = clip, swizle = 2>} {}
// CHECK-NEXT:                                                                                    ^~~~~~
func.func @f() attributes {a = #tile.grid<extents = [4], tiles = [1], tails = clip, swizle = 2>} {}

// -----

// One like no other.
//      CHECK:{{.*}}tile-attributes.mlir:16:54: error: unknown field 'zzz'; there are m, n, k, step, l0_k, l0_n, transpose_lhs, transpose_rhs, stagger, resident, rows, keeps, stages, parts, unit_flag, prefetch, split_last
// CHECK-NEXT:func.func @f() attributes {a = #tile.product<m = 16, zzz = 2>} {}
// CHECK-NEXT:                                                     ^~~
func.func @f() attributes {a = #tile.product<m = 16, zzz = 2>} {}

// -----

// A field twice.
//      CHECK:{{.*}}tile-attributes.mlir:24:62: error: field 'm' is stated twice
// CHECK-NEXT:func.func @f() attributes {a = #tile.product<m = 16, n = 16, m = 32>} {}
// CHECK-NEXT:                                                             ^
func.func @f() attributes {a = #tile.product<m = 16, n = 16, m = 32>} {}

// -----

// A field without its value.
//      CHECK:{{.*}}tile-attributes.mlir:32:47: error: Expected '='
// CHECK-NEXT:func.func @f() attributes {a = #tile.product<m, n = 16>} {}
// CHECK-NEXT:                                              ^
func.func @f() attributes {a = #tile.product<m, n = 16>} {}

// -----

// A flag with a value.
//      CHECK:{{.*}}tile-attributes.mlir:40:54: error: 'unit_flag' is a flag: it is stated or not, and has no value
// CHECK-NEXT:func.func @f() attributes {a = #tile.product<m = 16, unit_flag = 1>} {}
// CHECK-NEXT:                                                     ^~~~~~~~~~~~
func.func @f() attributes {a = #tile.product<m = 16, unit_flag = 1>} {}

// -----

// Fields that are missing.
//      CHECK:{{.*}}tile-attributes.mlir:48:45: error: missing fields step, l0_k
// CHECK-NEXT:func.func @f() attributes {a = #tile.product<m = 16, n = 16, k = 64>} {}
// CHECK-NEXT:                                            ^~~~~~~~~~~~~~~~~~~~~~~~
func.func @f() attributes {a = #tile.product<m = 16, n = 16, k = 64>} {}

// -----

// An unknown word.
//      CHECK:{{.*}}tile-attributes.mlir:56:92: error: expected one of shift, clip, cover, not 'wrap'
// CHECK-NEXT:func.func @f() attributes {a = #tile.grid<extents = [4, 4], tiles = [1, 4], tails = [clip, wrap], cores = 1>} {}
// CHECK-NEXT:                                                                                           ^~~~
func.func @f() attributes {a = #tile.grid<extents = [4, 4], tiles = [1, 4], tails = [clip, wrap], cores = 1>} {}

// -----

// Too few numbers.
//      CHECK:{{.*}}tile-attributes.mlir:64:102: error: expected 2 integers, not 1
// CHECK-NEXT:func.func @f() attributes {a = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 16, stagger = [1]>} {}
// CHECK-NEXT:                                                                                                     ^~~
func.func @f() attributes {a = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 16, stagger = [1]>} {}

// -----

// No number.
//      CHECK:{{.*}}tile-attributes.mlir:72:57: error: Expected integer literal
// CHECK-NEXT:func.func @f() attributes {a = #tile.grid<extents = [4, x]>} {}
// CHECK-NEXT:                                                        ^
func.func @f() attributes {a = #tile.grid<extents = [4, x]>} {}

// -----

// Too few words.
//      CHECK:{{.*}}tile-attributes.mlir:80:42: error: grid: tails is one word or one a dimension, not 2 for 3
// CHECK-NEXT:func.func @f() attributes {a = #tile.grid<extents = [4, 4, 4], tiles = [1, 4, 4], tails = [clip, shift], cores = 1>} {}
// CHECK-NEXT:                                         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
func.func @f() attributes {a = #tile.grid<extents = [4, 4, 4], tiles = [1, 4, 4], tails = [clip, shift], cores = 1>} {}

// -----

// What does not verify, in a record in a record.
//      CHECK:{{.*}}tile-attributes.mlir:88:100: error: product: parts have a dim of 0 or more and a depth of 1 or more, not <dim = -1, depth = 64>
// CHECK-NEXT:…unc @f() attributes {a = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 16, parts = <dim = -1, depth = 64>>} {}
// CHECK-NEXT:                                                                                              ^~~~~~~~~~~~~~~~~~~~~~
func.func @f() attributes {a = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 16, parts = <dim = -1, depth = 64>>} {}

// -----

// A window of no size.
//      CHECK:{{.*}}tile-attributes.mlir:96:44: error: window: kernel, strides and dilations are 1 or more and pads 0 or more, not kernel = [0, 3], strides = [1, 1], dilations = [1, 1], pads = [0, 0, 0, 0]
// CHECK-NEXT:…c.func @f() attributes {a = #tile.window<kernel = [0, 3], strides = [1, 1], dilations = [1, 1], pads = [0, 0, 0, 0]>} {}
// CHECK-NEXT:                                         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
func.func @f() attributes {a = #tile.window<kernel = [0, 3], strides = [1, 1], dilations = [1, 1], pads = [0, 0, 0, 0]>} {}

// -----

// A dimension out of order.
//      CHECK:{{.*}}tile-attributes.mlir:104:47: error: expected dimension 'd1', not 'd2'
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0, d2) -> (d0)>} {}
// CHECK-NEXT:                                              ^~
func.func @f() attributes {a = #tile.map<(d0, d2) -> (d0)>} {}

// -----

// A dimension that there is not.
//      CHECK:{{.*}}tile-attributes.mlir:112:59: error: no dimension 'd2': there are d0, d1
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0, d1) -> (d0, d2)>} {}
// CHECK-NEXT:                                                          ^~
func.func @f() attributes {a = #tile.map<(d0, d1) -> (d0, d2)>} {}

// -----

// A dimension that there is not, in indices.
//      CHECK:{{.*}}tile-attributes.mlir:120:71: error: no dimension 'e': there are d0, d1
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0, d1) -> (d0, indices[d1, e])>} {}
// CHECK-NEXT:                                                                      ^
func.func @f() attributes {a = #tile.map<(d0, d1) -> (d0, indices[d1, e])>} {}

// -----

// No entry of a map.
//      CHECK:{{.*}}tile-attributes.mlir:128:51: error: expected 0, the only index of a dimension of size one, not 7
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0) -> (7)>} {}
// CHECK-NEXT:                                                  ^
func.func @f() attributes {a = #tile.map<(d0) -> (7)>} {}

// -----

// What follows no entry.
//      CHECK:{{.*}}tile-attributes.mlir:136:62: error: ')' expected
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0) -> (d0 * 2 - 1 + window(3))>} {}
// CHECK-NEXT:                                                             ^
func.func @f() attributes {a = #tile.map<(d0) -> (d0 * 2 - 1 + window(3))>} {}

// -----

// A window without a size.
//      CHECK:{{.*}}tile-attributes.mlir:144:62: error: '(' expected
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0) -> (d0 + window)>} {}
// CHECK-NEXT:                                                             ^
func.func @f() attributes {a = #tile.map<(d0) -> (d0 + window)>} {}

// -----

// A window of no element.
//      CHECK:{{.*}}tile-attributes.mlir:152:51: error: map: d0 + window(0): a stride is 0 or more, a window, dilation and floordiv 1 or more
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0) -> (d0 + window(0))>} {}
// CHECK-NEXT:                                                  ^~~~~~~~~~~~~~
func.func @f() attributes {a = #tile.map<(d0) -> (d0 + window(0))>} {}

// -----

// A slice that has no step.
//      CHECK:{{.*}}tile-attributes.mlir:160:51: error: map: thin d0 needs a stride above 1, and no window or floordiv
// CHECK-NEXT:func.func @f() attributes {a = #tile.map<(d0) -> (thin d0)>} {}
// CHECK-NEXT:                                                  ^~~~~~~
func.func @f() attributes {a = #tile.map<(d0) -> (thin d0)>} {}

// -----

// An order that is none, in the type of a tile.
//      CHECK:{{.*}}tile-attributes.mlir:168:42: error: tile: order [0, 0] is not a permutation of 2 dimensions
// CHECK-NEXT:func.func @f() attributes {a = !tile.tile<4x4xf16, l1, blocked 1 order [0, 0]>} {}
// CHECK-NEXT:                                         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
func.func @f() attributes {a = !tile.tile<4x4xf16, l1, blocked 1 order [0, 0]>} {}

// -----

// No such memory.
//      CHECK:{{.*}}tile-attributes.mlir:176:52: error: expected one of l1, l0c, bt, fb, ub, not 'l3'
// CHECK-NEXT:func.func @f() attributes {a = !tile.tile<4x4xf16, l3, nd>} {}
// CHECK-NEXT:                                                   ^~
func.func @f() attributes {a = !tile.tile<4x4xf16, l3, nd>} {}

// -----

// A program for no kind of core.
//      CHECK:{{.*}}tile-attributes.mlir:184:45: error: program: a core is one of core, aic, aiv, not gpu
// CHECK-NEXT:func.func @f() attributes {a = #tile.program<gpu>} {}
// CHECK-NEXT:                                            ^~~~
func.func @f() attributes {a = #tile.program<gpu>} {}

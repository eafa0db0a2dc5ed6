"""How kernels at the ascend level are written as HIVM: numbers, memrefs, instructions, products of L1, order. Used by
`ascend-to-hivm`."""

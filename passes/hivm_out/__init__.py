"""How kernels at the ascend level are written as HIVM: numbers, memrefs, instructions, order. Used by
`ascend-to-hivm`."""

"""From HIVM to instructions: functions, memrefs, transfers, products and Vector ops, for one launch. Used by the pass
`hivm-to-ascend`."""

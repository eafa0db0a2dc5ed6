"""Plans: what was decided of a graph's kernels, as a file that people read and other compilations take."""

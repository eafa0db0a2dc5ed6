"""The three levels of the compiler (graph, tile, ascend) and the targets they are compiled for."""

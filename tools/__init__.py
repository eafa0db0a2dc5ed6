"""Command line tools: thin wrappers around `ascend_opt.compiler`."""

"""The native entries of a module: runs, learning, replicates and searches that can be stopped."""

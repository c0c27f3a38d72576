"""What native runs read from a Composition and leave in it: bindings, lazily written values, clocks, counts, logs."""

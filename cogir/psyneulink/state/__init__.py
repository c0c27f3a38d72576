"""The mirror of a Composition: what native runs read from it and leave in it, by bindings, lazily written values, clocks, counts, logs."""

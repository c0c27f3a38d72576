"""The state of a Composition that native runs read and leave: bindings, lazily written values, clocks, counts, logs."""

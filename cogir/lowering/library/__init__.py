"""Elementary functions and generators as functions of the module, compiled from `cogir.library`."""

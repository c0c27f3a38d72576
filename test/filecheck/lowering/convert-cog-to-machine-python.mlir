// A function that stays Python is declared, with the reason; it can be read and verified, but has no machine code.
// RUN: cog-opt %s | filecheck %s
// RUN: not cog-opt %s -p convert-cog-to-machine 2>&1 | filecheck %s --check-prefix=LOWERED

cog.model @partly {
  cog.node @odd (%x: f64) -> (value: f64 = 0.0) {
    %0 = func.call @guarded(%x) : (f64) -> f64
    cog.yield %0
  }
  cog.input @odd["x"]
  cog.output @odd["value"]
}
func.func private @guarded(f64) -> f64 attributes {cog.python = "model.py:3: guarded: 'try' is not in the subset"}

// CHECK: func.func private @guarded(f64) -> f64 attributes {cog.python = "model.py:3: guarded: 'try' is not in the subset"}
// LOWERED: convert-cog-to-machine: @guarded is a Python function, which has no IR (model.py:3: guarded: 'try' is not in the subset)

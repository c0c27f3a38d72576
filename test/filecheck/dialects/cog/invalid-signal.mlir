// Control signals and their costs.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 6]]:5: error: signal @s has no levels; give at least one
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels []
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:5: error: controller @control has two signals called @s; rename one of them
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.signal @s levels [2.0]
  }
}

// -----

// Costs are functions of a number.
// CHECK: .mlir:[[# @LINE + 6]]:5: error: signal @s: the intensity cost @prize is not a function of the module; did you mean @price?
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0] cost intensity @prize
  }
}
func.func private @price(%x: f64) -> f64 {
  func.return %x : f64
}
rng.stream @ties mt19937 seed 1

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: signal @s: the intensity cost @price has type (f64, f64) -> f64; a cost must be (f64) -> f64
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0] cost intensity @price
  }
}
func.func private @price(%x: f64, %y: f64) -> f64 {
  func.return %x : f64
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: signal @s: clip applies only to costs; leave it out, or add a cost
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0] clip
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:59: error: the intensity cost is given twice
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0] cost intensity @price cost intensity @price
  }
}
func.func private @price(%x: f64) -> f64 {
  func.return %x : f64
}
rng.stream @ties mt19937 seed 1

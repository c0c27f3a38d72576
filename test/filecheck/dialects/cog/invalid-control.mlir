// What is wrong with a controller is refused with its place and a remedy.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// There is something to search, and it is found.
// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control has no signals, so there is nothing to search; add a cog.signal
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
  }
}

// -----

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

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: @p is not part of the model; there are @o, @control
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @p ties first {
    cog.signal @s levels [1.0]
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: controller @control: the objective @a["value"] is tensor<2xf64>; it must be one number (f64 or tensor<1xf64>)
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @a ties first {
    cog.signal @s levels [1.0]
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: there is no model @n to simulate; there is @m
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control of @n after maximize @o ties first {
    cog.signal @s levels [1.0]
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:28: error: Expected `before`, or `after`.
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control during maximize @o ties first {
    cog.signal @s levels [1.0]
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

// CHECK: .mlir:[[# @LINE + 8]]:3: error: model @m has 2 controllers; keep one
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
  }
  cog.grid_search @second after maximize @o ties first {
    cog.signal @s levels [1.0]
  }
}

// -----

// Ties are broken by a stream.
// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: ties random needs an rng.stream to draw from; write ties random @stream
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties random {
    cog.signal @s levels [1.0]
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: ties first draws nothing; leave @ties out, or write random
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first @ties {
    cog.signal @s levels [1.0]
  }
}
func.func private @price(%x: f64) -> f64 {
  func.return %x : f64
}
rng.stream @ties mt19937 seed 1

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: ties are broken by @price, which is not an rng.stream of the module
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties random @price {
    cog.signal @s levels [1.0]
  }
}
func.func private @price(%x: f64) -> f64 {
  func.return %x : f64
}
rng.stream @ties mt19937 seed 1

// -----

// Estimates need seeds.
// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: several estimates need seeds; add seed_base and a number to count from
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first estimates 3 {
    cog.signal @s levels [1.0]
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: trials is 0; it must be at least 1
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first trials 0 {
    cog.signal @s levels [1.0]
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: seed_base is -1; seeds are not negative
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first estimates 3 seed_base -1 {
    cog.signal @s levels [1.0]
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

// CHECK: .mlir:[[# @LINE + 6]]:5: error: signal @s: the intensity cost @price is (f64, f64) -> f64; a cost is (f64) -> f64
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

// CHECK: .mlir:[[# @LINE + 6]]:5: error: signal @s: clip only means something for costs; leave it out, or add a cost
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

// -----

// Features are inputs of the simulated model.
// CHECK: .mlir:[[# @LINE + 8]]:5: error: feature 1: the simulated model has 1 input
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @o
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.feature 1 from @o
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 9]]:5: error: controller @control has two features for input 0; keep one
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @o
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.feature 0 from @o
    cog.feature 0 from @o
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 11]]:5: error: feature 0: @b["value"] is tensor<3xf64>, but the input is tensor<2xf64>
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>, one: f64 = 0.0) {
    cog.yield %x, %gain
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.input @a
  cog.grid_search @control after maximize @a["one"] ties first {
    cog.signal @s levels [1.0]
    cog.feature 0 from @b
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:{{[0-9]+}}: error: estimates @seed: their number is 0; it must be at least 1
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.estimates @seed 0
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:{{[0-9]+}}: error: estimates @seed: below is 7; it must be more than from, 7, and at most 9007199254740992
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.estimates @seed 2 from 7 below 7
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:{{[0-9]+}}: error: controller @control has several cog.estimates; keep one, which can act on several parameters
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.estimates @seed 2
    cog.estimates @other 2
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:{{[0-9]+}}: error: controller @control has a cog.estimates and estimates 3; keep one of them
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first estimates 3 seed_base 1 {
    cog.signal @s levels [1.0]
    cog.estimates @seed 2
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:5: error: feature 0: the constant is tensor<2xf64>, but the input is f64
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @o
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.feature 0 : tensor<2xf64> = dense<0.0>
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:5: error: feature 0: there is no input 1: a trial has 1 input
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @o
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.feature 0 from input 1
  }
}

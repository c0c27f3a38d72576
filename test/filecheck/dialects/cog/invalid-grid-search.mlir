// Grid searches.
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

// CHECK: .mlir:[[# @LINE + 8]]:3: error: controller @control: the objective @a["value"] has type tensor<2xf64>; it must be one number (f64 or tensor<1xf64>)
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
// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: ties random draws from an rng.stream, but none is given; write ties random @stream
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties random {
    cog.signal @s levels [1.0]
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: ties first draws no random numbers; leave @ties out, or write random
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

// CHECK: .mlir:[[# @LINE + 5]]:3: error: controller @control: seed_base is -1; it must be at least 0
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first estimates 3 seed_base -1 {
    cog.signal @s levels [1.0]
  }
}

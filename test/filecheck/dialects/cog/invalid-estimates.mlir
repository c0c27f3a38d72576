// Estimates of a controller.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 7]]:{{[0-9]+}}: error: estimates @seed: the number of estimates is 0; it must be at least 1
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

// CHECK: .mlir:[[# @LINE + 7]]:{{[0-9]+}}: error: estimates @seed: the last number is beyond 64 bits; give a step below below, 9007199254740992
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.estimates @seed 3 from 2 step 4611686018427387904
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:{{[0-9]+}}: error: estimates @seed: advance is 7; it must be less than below, 7
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.grid_search @control after maximize @o ties first {
    cog.signal @s levels [1.0]
    cog.estimates @seed 2 below 7 advance 7
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

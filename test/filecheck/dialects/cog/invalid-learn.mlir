// What is wrong with learning is refused with its place and a remedy.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 6]]:3: error: learning @learning: nothing is learned; add a cog.learned
func.func private @f(%w: tensor<1xf64>, %g: tensor<1xf64>) -> tensor<1xf64> {
  func.return %w : tensor<1xf64>
}
cog.model @m {
  cog.node @o (%x: f64) -> (value: f64 = 0.0) { cog.yield %x }
  cog.learn @learning mean by @f {
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:5: error: learned projection @a -> @b: there are no projections between these ports; one is required
func.func private @f(%w: tensor<1xf64>, %g: tensor<1xf64>) -> tensor<1xf64> {
  func.return %w : tensor<1xf64>
}
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) { cog.yield %x } cog.node @b (%x: f64) -> (value: f64 = 0.0) { cog.yield %x }
  cog.learn @learning mean by @f {
    cog.learned @a -> @b
    cog.loss @f(@b, @a)
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 9]]:5: error: loss @f has type (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>; it must be (f64, f64) -> f64
func.func private @f(%w: tensor<1xf64>, %g: tensor<1xf64>) -> tensor<1xf64> {
  func.return %w : tensor<1xf64>
}
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) { cog.yield %x } cog.node @b (%x: f64) -> (value: f64 = 0.0) { cog.yield %x }
  cog.project @a -> @b matrix dense<1.0> : tensor<1x1xf64>
  cog.learn @learning sum by @f {
    cog.learned @a -> @b
    cog.loss @f(@b, @a)
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:3: error: learning @learning: the optimizer @g is not a function of the module
func.func private @loss_of(%a: f64, %b: f64) -> f64 {
  func.return %a : f64
}
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) { cog.yield %x } cog.node @b (%x: f64) -> (value: f64 = 0.0) { cog.yield %x }
  cog.project @a -> @b matrix dense<1.0> : tensor<1x1xf64>
  cog.learn @learning sum by @g {
    cog.learned @a -> @b
    cog.loss @loss_of(@b, @a)
  }
}

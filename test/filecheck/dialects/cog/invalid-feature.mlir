// State features of a controller.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// Features are inputs of the simulated model.
// CHECK: .mlir:[[# @LINE + 8]]:5: error: feature 1: there is no input 1: the simulated model has 1 input
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

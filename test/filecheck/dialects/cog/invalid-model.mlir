// Models, and instances of models.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// Names differ.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: model @m has two operations called @a; rename one of them
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.instance @a of @m
}

// -----

// Models do not contain themselves.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: instance @i: model @m would contain itself (@m > @inner > @m); remove an instance of this cycle
cog.model @m {
  cog.instance @i of @inner
}
cog.model @inner {
  cog.instance @j of @m
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: instance @i: there is no model @iner; did you mean @inner?
cog.model @m {
  cog.instance @i of @iner
}
cog.model @inner {
}

// -----

// A model has one schedule and one controller, and holds no computations.
// CHECK: .mlir:[[# @LINE + 7]]:3: error: model @m has 2 schedules; keep one
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
  }
  cog.schedule {
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: model @m contains arith.constant; put computations into a cog.node
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  %c = arith.constant 1.0 : f64
}

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: model @"": a name is empty; give it one
cog.model @"" {
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:17: error: %x is not defined
cog.model @m {
  cog.condition %x
}

// -----

// CHECK: .mlir:[[# @LINE + 3]]:1: error: the module has two operations called @m; rename one of them
cog.model @m {
}
cog.model @m {
}

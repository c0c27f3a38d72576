// Conditions that compare values, and those with a body.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// What is looked at is there, and is one number.
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @b has no output port "valu"; did you mean "value"?
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.threshold @b["valu"] > 1.0
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @a has no parameter "gane"; did you mean "gain"?
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.threshold @a[param "gane"] > 1.0
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @b["value"] has type tensor<3xf64>; give the indices of the element to compare, as in @b["value"][0]
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.threshold @b > 1.0
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: index 3 is out of range for @b["value"], which has type tensor<3xf64>
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.threshold @b["value"][3] > 1.0
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @b["value"] has type tensor<3xf64>, which has 1 dimension, but there are 2 indices; give one each
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.threshold @b["value"][0, 1] > 1.0
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: atol and rtol apply only to == and <>, not to >; leave them out
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.threshold @b["value"][0] > 1.0 atol 0.1
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:41: error: expected a comparison: <, <=, >, >=, == or <> (not equal)
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.threshold @b["value"][0] => 1.0
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @b["value"] has type tensor<3xf64>, not f64; write : tensor<3xf64>
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %v = cog.read @b : f64
      %c = cog.always
      cog.condition %c
    }
  }
}

// -----

// Conditions only look.
// CHECK: .mlir:[[# @LINE + 11]]:7: error: condition of @a: rng.seed is not allowed in a condition, which must read and compute values only
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %s = arith.constant 1 : i64
      %r = rng.seed %s : i64 -> !rng.state<mt19937>
      %c = cog.always
      cog.condition %c
    }
  }
}

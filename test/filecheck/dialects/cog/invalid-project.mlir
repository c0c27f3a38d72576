// Projections that do not fit their ends, and names that lead nowhere.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// A matrix must fit both ends.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: matrix is 2x2, but @b["x"] has 3 elements; give a 2x3 matrix
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b matrix dense<0.5> : tensor<2x2xf64>
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: matrix is 3x3, but @a["value"] has 2 elements; give a 2x3 matrix
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b matrix dense<0.5> : tensor<3x3xf64>
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: the matrix has type tensor<6xf64>; give a 2x3 matrix
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b matrix dense<0.5> : tensor<6xf64>
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: the matrix has type tensor<2x3xf32>, @a["value"] has type tensor<2xf64> and @b["x"] has type tensor<3xf64>; use one element type
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b matrix dense<0.5> : tensor<2x3xf32>
}

// -----

// Without a matrix both ends have one type.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: @a["value"] has type tensor<2xf64>, but @b["x"] has type tensor<3xf64>; give a matrix of 2x3
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: projection @o -> @o: a matrix maps a vector to a vector, but @o["value"] has type tensor<2x2xf64>; give a function instead
cog.model @m {
  cog.node @o (%x: tensor<2x2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2x2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @o -> @o matrix dense<0.5> : tensor<4x4xf64>
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: projection @o -> @o: matrix is 2x1, but @o["value"] has 1 element; give a 1x1 matrix
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.project @o -> @o matrix dense<0.5> : tensor<2x1xf64>
}

// -----

// Names lead somewhere.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @bb: @bb is not part of the model; did you mean @b?
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @bb
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a["valu"] -> @b: @a has no output port "valu"; did you mean "value"?
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a["valu"] -> @b
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b["y"]: @b has no input port "y"; there is "x"
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b["y"]
}

// -----

// Only a projection of a node to itself is recurrent.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: only a projection from a node to itself can be recurrent; remove `recurrent`
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b matrix dense<0.5> : tensor<2x3xf64> recurrent
}

// -----

// Functions of projections fit both ends.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: its function takes tensor<3xf64>, but @a["value"] has type tensor<2xf64>; make them the same
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b (%v: tensor<3xf64>) {
    cog.yield %v
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: its function yields tensor<2xf64>, but @b["x"] has type tensor<3xf64>; make them the same
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b (%v: tensor<2xf64>) {
    cog.yield %v
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 9]]:5: error: projection @a -> @b: its function must yield one output and its next states, and nothing else
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b (%v: tensor<2xf64>) {
    cog.yield %v, %v
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b has a matrix and a function; make the matrix a parameter of the function
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.project @a -> @b matrix dense<0.5> : tensor<2x3xf64> (%v: tensor<2xf64>) {
    cog.yield %v
  }
}

// -----

// Ports of instances are those of the model's inputs and outputs.
// CHECK: .mlir:[[# @LINE + 6]]:3: error: projection @o -> @i["p"]: @i has no input port "p"; there is "o/x"
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.instance @i of @inner
  cog.project @o -> @i["p"]
}
cog.model @inner {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @o
}

// What is wrong between the parts of a model is refused with its place and a remedy.
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

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: the matrix is tensor<2x3xf32>, @a["value"] is tensor<2xf64> and @b["x"] is tensor<3xf64>; use one element type
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
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: @a["value"] is tensor<2xf64>, but @b["x"] is tensor<3xf64>; give a matrix of 2x3
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

// CHECK: .mlir:[[# @LINE + 5]]:3: error: projection @o -> @o: a matrix goes from vector to vector, but @o["value"] is tensor<2x2xf64>; give a function instead
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

// CHECK: .mlir:[[# @LINE + 8]]:3: error: input @a["y"]: @a has no input port "y"; there is "x"
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.input @a["y"]
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: output @c: @c is not part of the model; there are @a, @b
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.output @c
}

// -----

// Names differ.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: model @m has two parts called @a; rename one of them
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

// What is shadowed is an input of the model, of the same type.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: shadow @a -> @b: @a["x"] is no input of the model; name a port that has a cog.input
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.shadow @a -> @b
}

// -----

// CHECK: .mlir:[[# @LINE + 9]]:3: error: shadow @a -> @b: @a["x"] is tensor<2xf64>, but @b["x"] is tensor<3xf64>; make them the same
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.input @a
  cog.shadow @a -> @b
}

// -----

// CHECK: .mlir:[[# @LINE + 9]]:3: error: input @a: the port is an input of the model already; remove one of the two
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.input @a
  cog.input @a
}

// -----

// Where there are several ports, one is named.
// CHECK: .mlir:[[# @LINE + 5]]:3: error: output @o: @o has 2 output ports; write one of @o["value"], @o["the time"]
cog.model @m {
  cog.node @o (%x: f64) -> (value: f64 = 0.0, "the time": f64 = 0.0) {
    cog.yield %x, %x
  }
  cog.output @o
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: input @o: @o has no input port
cog.model @m {
  cog.node @o () -> () {
    cog.yield
  }
  cog.input @o
}

// -----

// Only a projection of a node to itself is recurrent.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: only a projection from a node to itself can be recurrent; remove the word
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
// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: its function takes tensor<3xf64>, but @a["value"] is tensor<2xf64>; make them the same
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

// CHECK: .mlir:[[# @LINE + 8]]:3: error: projection @a -> @b: its function yields tensor<2xf64>, but @b["x"] is tensor<3xf64>; make them the same
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

// CHECK: .mlir:[[# @LINE + 9]]:5: error: projection @a -> @b: its function yields one value, and states, but nothing else
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

// Parameters are modulated by one number.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: modulation @b -> @a["gain"]: @b["value"] is tensor<3xf64>, but a parameter is modulated by one number (f64 or tensor<1xf64>); name such a port
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.modulate @b -> @a["gain"] multiply
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: modulation @o -> @o["gian"]: @o has no parameter "gian"; did you mean "gain"?
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.modulate @o -> @o["gian"] multiply
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: modulation @o -> @p["gain"]: @p is not part of the model; there is @o
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.modulate @o -> @p["gain"] add
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:3: error: modulation @o -> @o["gain"]: the parameter is overridden already; keep one override
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.modulate @o -> @o["gain"] override
  cog.modulate @o -> @o["gain"] override
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: modulation @o -> @o["count"]: the parameter is i64; only floating-point ones can be modulated
cog.model @m {
  cog.node @o (%x: f64) params(%count: i64 = 1) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.modulate @o -> @o["count"] override
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:3: error: modulation @o -> @i["gain"]: a parameter of an instance is named by node and parameter; write @i["node/gain"]
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.instance @i of @inner
  cog.modulate @o -> @i["gain"] override
}
cog.model @inner {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:3: error: modulation @o -> @i["q/gain"]: @q is not part of the model; there is @o
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.instance @i of @inner
  cog.modulate @o -> @i["q/gain"] override
}
cog.model @inner {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// Models do not contain themselves.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: instance @i: model @m would contain itself (@m > @inner > @m); break the circle
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

// CHECK: .mlir:[[# @LINE + 5]]:3: error: model @m holds arith.constant; computations belong into a cog.node
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  %c = arith.constant 1.0 : f64
}

// -----

// CHECK: .mlir:[[# @LINE + 1]]:1: error: cog.input belongs into cog.model, but stands in builtin.module
cog.input @a

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

// CHECK: .mlir:[[# @LINE + 3]]:1: error: the module has two parts called @m; rename one of them
cog.model @m {
}
cog.model @m {
}

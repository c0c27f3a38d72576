// Inputs, outputs and shadows.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

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

// What is shadowed is an input of the model, of the same type.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: shadow @a -> @b: @a["x"] is not an input of the model; name a port that has a cog.input
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

// CHECK: .mlir:[[# @LINE + 9]]:3: error: shadow @a -> @b: @a["x"] has type tensor<2xf64>, but @b["x"] has type tensor<3xf64>; make them the same
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

// CHECK: .mlir:[[# @LINE + 9]]:3: error: input @a: the port is already an input of the model; remove one of the two
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

// CHECK: .mlir:[[# @LINE + 1]]:1: error: cog.input is in builtin.module, but must be in cog.model
cog.input @a

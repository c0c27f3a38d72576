// Nodes: names, limits, and bodies.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// What is yielded fits what stands before the body.
// CHECK: .mlir:[[# @LINE + 3]]:5: error: node @a has 2 outputs, but yields 1; yield one value for each
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0, time: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 3]]:5: error: node @a yields f64 for output "value", which has type tensor<1xf64>; make them the same
cog.model @m {
  cog.node @a (%x: f64) -> (value: tensor<1xf64> = dense<0.0>) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 3]]:5: error: node @a has 1 state, but yields none; yield one value for each
cog.model @m {
  cog.node @a (%x: f64) states(%s: f64 = 0.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// Names differ, are not empty, and hold no slash.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a has two input ports called "x"; rename one of them
cog.model @m {
  cog.node @a (%x: f64, %y "x": f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a has two output ports called "value"; rename one of them
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0, value: f64 = 0.0) {
    cog.yield %x, %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @"a/b": the name "a/b" contains a slash, which separates names in paths; leave it out
cog.model @m {
  cog.node @"a/b" (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: a name is empty; give it one
cog.model @m {
  cog.node @a (%x "": f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// Executions are limited only where there is a loop.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: max applies only with until_finished; add until_finished, or leave max out
cog.model @m {
  cog.node @a () -> () max 3 {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: max is 0; it must be at least 1
cog.model @m {
  cog.node @a () -> () until_finished max 0 {
    cog.yield
  }
}

// -----

// A body is a function of values.
// CHECK: .mlir:[[# @LINE + 3]]:5: error: node @a: cog.always is not allowed in its body, which must compute values only; use operations of arith, tensor, rng ...
cog.model @m {
  cog.node @a () -> () {
    %c = cog.always
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 3]]:5: error: node @a: memref.alloc is not allowed in its body, which must compute values only; use operations of arith, tensor, rng ...
cog.model @m {
  cog.node @a () -> () {
    %m = memref.alloc() : memref<1xf64>
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 3]]:15: error: %y is not defined here
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %y
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: the body of cog.node is empty; end it with cog.yield
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 3]]:5: error: the body of cog.node ends in math.exp; end it with cog.yield
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    %y = math.exp %x : f64
  }
}

// -----

// Labels and units belong to output ports.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: output port "value" has 1 label, but 2 elements along its last axis; give one label for each
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0> labels ["left"]) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: output port "value" has the label "left" twice; labels must differ
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0> labels ["left", "left"]) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: output port "value" has an empty label; give it a name
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0> labels ["left", ""]) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: output port "value" has labels, but is a single number; leave them out
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0 labels ["left"]) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: the unit of output port "value" is ""; write a text such as "s"
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0 unit "") {
    cog.yield %x
  }
}

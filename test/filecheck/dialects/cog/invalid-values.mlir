// Values of ports, parameters and states: types, numbers, ranges.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// Values are f64, f32, i64, i1 or tensors of them, of a fixed size.
// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: input port "x" has type i32; values of a model are f64, f32, i64, i1 or tensors of them
cog.model @m {
  cog.node @a (%x: i32) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:3: error: node @a: input port "x" has type tensor<?xf64>; give every dimension a fixed size of at least 1
cog.model @m {
  cog.node @a (%x: tensor<?xf64>) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:45: error: a value of a model cannot have type tensor<?xf64>; give fixed sizes and f64, f32, i64 or i1
cog.model @m {
  cog.node @a () -> (value: tensor<?xf64> = dense<0.0>) {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:35: error: a number cannot have type i32; use f64, f32, i64 or i1
cog.model @m {
  cog.node @a () params(%n: i32 = 1) -> () {
    cog.yield
  }
}

// -----

// Arrays have the shape of their type, numbers fit into theirs.
// CHECK: .mlir:[[# @LINE + 2]]:47: error: the array has shape 1x2, but its type tensor<2x2xf64> has shape 2x2
cog.model @m {
  cog.node @a () -> (value: tensor<2x2xf64> = dense<[[1.0, 2.0]]>) {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:47: error: the rows of an array must have the same length
cog.model @m {
  cog.node @a () -> (value: tensor<2x2xf64> = dense<[[1.0, 2.0], [3.0]]>) {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:35: error: expected an integer, for a value of type i64
cog.model @m {
  cog.node @a () params(%n: i64 = 1.5) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:35: error: the integer 9223372036854775808 does not fit into i64
cog.model @m {
  cog.node @a () params(%n: i64 = 9223372036854775808) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:35: error: the number is too large for a float; write inf for infinity
cog.model @m {
  cog.node @a () params(%n: f64 = 1.0e999) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:35: error: the hexadecimal number does not fit into the bits of f64
cog.model @m {
  cog.node @a () params(%n: f64 = 0x17FF8000000000000) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:35: error: expected a number, nan or inf
cog.model @m {
  cog.node @a () params(%n: f64 = big) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:34: error: expected 'true' or 'false'
cog.model @m {
  cog.node @a () params(%n: i1 = 1) -> () {
    cog.yield
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:45: error: Expected 'dense' (an array is written dense<...>)
cog.model @m {
  cog.node @a () params(%n: tensor<1xf64> = 1.0) -> () {
    cog.yield
  }
}

// -----

// A value lies in its range. The place is that of the value.
// CHECK: .mlir:[[# @LINE + 2]]:42: error: "p" is 1.5; it must be at least 0 and at most 1
cog.model @m {
  cog.node @a (%x: f64) params(%p: f64 = 1.5 in [0.0, 1.0]) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:52: error: "p" is dense<[1.0, nan]>; every element must be above 0
cog.model @m {
  cog.node @a (%x: f64) params(%p: tensor<2xf64> = dense<[1.0, nan]> in (0.0, inf]) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 2]]:49: error: the range (1.0, 1.0] holds no numbers; give the lower end first
cog.model @m {
  cog.node @a (%x: f64) params(%p: f64 = 1.5 in (1.0, 1.0]) -> (value: f64 = 0.0) {
    cog.yield %x
  }
}

// -----

// The same in the generic form, which has no place for each value.
// CHECK: .mlir:[[# @LINE + 3]]:3: error: node @a: parameter "p" is 1.5; it must be at least 0 and at most 1
"builtin.module"() ({
"cog.model"() <{sym_name = "m"}> ({
  "cog.node"() <{sym_name = "a", input_names = ["x"], input_combine = ["sum"], param_names = ["p"], param_defaults = [1.5 : f64], state_names = [], state_initials = [], param_ranges = {p = #cog.range<[0.0, 1.0]>}, random_names = [], streams = [], output_names = ["value"], output_initials = [0.0 : f64]}> ({
  ^bb0(%x: f64, %p: f64):
    "cog.yield"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (f64) -> ()
  }) : () -> ()
}) : () -> ()
}) : () -> ()

// What cannot be recorded.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 6]]:3: error: record of @a: @a has 2 output ports; write one of @a["value"], @a["time"]
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0, time: f64 = 0.0) {
    cog.yield %x, %x
  }
  cog.input @a
  cog.record @a
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:3: error: record of @a state "positon": @a has no state "positon"; did you mean "position"?
cog.model @m {
  cog.node @a (%x: f64) states(%position: f64 = 0.0) -> (value: f64 = 0.0) {
    cog.yield %x states(%position)
  }
  cog.input @a
  cog.record @a state "positon"
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:3: error: record of @b: @b is not part of the model; there is @a
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.record @b
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:3: error: record of @a: it is recorded twice; remove one of the two
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.record @a["value"]
  cog.record @a
}

// -----

// CHECK: error: record of @a: every 0 is given; give a whole number of executions, 1 or more
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.record @a every 0
}

// -----

// CHECK: .mlir:[[# @LINE + 11]]:3: error: record of @part["a"]: @part is a cog.instance; name a node (what happens in an instance is recorded by its own model)
cog.model @inner {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.output @a
}
cog.model @m {
  cog.instance @part of @inner
  cog.input @part
  cog.record @part["a"]
}

// Modulations: of what, and by what.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// Parameters are modulated by one number.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: modulation @b -> @a["gain"]: @b["value"] has type tensor<3xf64>, but a parameter is modulated by one number (f64 or tensor<1xf64>); name a port of this type
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

// CHECK: .mlir:[[# @LINE + 6]]:3: error: modulation @o -> @o["gain"]: the parameter is already overridden; keep one override
cog.model @m {
  cog.node @o (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.modulate @o -> @o["gain"] override
  cog.modulate @o -> @o["gain"] override
}

// -----

// CHECK: .mlir:[[# @LINE + 5]]:3: error: modulation @o -> @o["count"]: the parameter has type i64; only floating-point parameters can be modulated
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

// Static programs of a trial.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 11]]:7: error: program of a trial: @c is not a node of the model; there are @a, @b
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.step [@a]
      cog.step [@c]
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: program of a trial: a part is repeated 0 times; give 1 or more
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.repeat 0 {
        cog.step [@a]
      }
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: cog.choose stands beside others; give each trial one program
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.choose ["clock:trial:run"] == 2 {
        cog.step [@a]
      } else {
      }
      cog.step [@a]
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: 'b/calls:run' is nothing that is counted; name one like clock:trial:run
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.choose ["a/calls:run", "b/calls:run"] >= 2 {
        cog.step [@a]
      } else {
      }
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:7: error: program of a trial: 'clock:trial:run' is not counted by programs; name one of clock:pass:life, clock:pass:run, clock:pass:trial
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.step [@a]
      cog.advance "clock:trial:run" by 2
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: 'clock:run:trial' is nothing that is counted; name one like clock:trial:run
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.choose ["clock:run:trial"] == 1 {
        cog.step [@a]
      } else {
      }
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: 'n_when:0' is nothing that is counted; name one like clock:trial:run
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.choose ["n_when:0"] == 1 {
        cog.step [@a]
      } else {
      }
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: a remainder is taken of a division by 0; give 1 or more
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.choose ["clock:trial:run"] mod 0 == 0 {
        cog.step [@a]
      } else {
      }
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:7: error: program of a trial: 'clock:pass:run' is advanced by -2; give 1 or more
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.step [@a]
      cog.advance "clock:pass:run" by -2
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: the body of cog.repeat is empty; end it with a cog.step
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.program {
      cog.repeat 2 {
      }
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 9]]:5: error: cog.step belongs into cog.program or cog.choose or cog.repeat, but stands in cog.schedule
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.step [@a]
  }
}

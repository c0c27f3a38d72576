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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: program of a trial: cog.repeat repeats 0 times; give 1 or more
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

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: cog.choose is not the only operation of its region; move the others into its choices
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

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: there is no counter 'b/calls:run'; name one such as clock:trial:run
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

// CHECK: .mlir:[[# @LINE + 8]]:7: error: program of a trial: programs do not advance the counter 'clock:trial:run'; name one of clock:pass:life, clock:pass:run, clock:pass:trial
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

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: there is no counter 'clock:run:trial'; name one such as clock:trial:run
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

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: there is no counter 'n_when:0'; name one such as clock:trial:run
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

// CHECK: .mlir:[[# @LINE + 7]]:7: error: program of a trial: the modulus is 0; give 1 or more
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

// CHECK: .mlir:[[# @LINE + 8]]:7: error: program of a trial: the counter 'clock:pass:run' is advanced by -2; give 1 or more
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

// CHECK: .mlir:[[# @LINE + 9]]:5: error: cog.step is in cog.schedule, but must be in cog.program or cog.choose or cog.repeat
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

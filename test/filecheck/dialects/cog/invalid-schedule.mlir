// What is wrong with a schedule is refused with its place and a remedy.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// Conditions speak of nodes of the model.
// CHECK: .mlir:[[# @LINE + 9]]:5: error: condition of @aa: @aa is not a node of the model; did you mean @a?
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @aa {
      %c = cog.always
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @c is not a node of the model; there are @a, @b
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.after_n_calls @c 1 in trial
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @d is not a node of the model; there are @a, @b
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.all_have_run [@a, @d] in trial
      cog.condition %c
    }
  }
}

// -----

// Numbers and scales make sense.
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.at_pass counts in units of a pass, which a pass does not hold; write in trial or in run or in life
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.at_pass 1 in pass
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.at_trial counts in units of a trial, which a trial does not hold; write in run or in life
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.at_trial 1 in trial
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.every_n_calls has n = 0; it must be at least 1
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.every_n_calls @b 0
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.every_n_passes has n = 0; it must be at least 1
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.every_n_passes 0 in trial
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.after_pass has n = -1; it must be at least 0
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.after_pass -1 in trial
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:7: error: a condition that counts says in which span of time: `in trial`, `in run` ...
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.at_pass 1
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:29: error: Expected `time_step`, `pass`, `trial`, `run`, or `life`.
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.at_pass 1 in week
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.all joins no conditions; use cog.always or cog.never
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.all
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.after_n_calls_combined names no nodes; write [@a, @b]
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.after_n_calls_combined [] 3 in trial
      cog.condition %c
    }
  }
}

// -----

// The wall clock is refused, with a reason.
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.time_interval looks at the wall clock, so that results would depend on the speed of the machine; count instead, for example with cog.every_n_passes or cog.after_n_time_steps
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.time_interval "repeat 10 ms"
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: end of a trial: cog.time_termination looks at the wall clock, so that results would depend on the speed of the machine; count instead, for example with cog.every_n_passes or cog.after_n_time_steps
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.terminate trial {
      %c = cog.time_termination
      cog.condition %c
    }
  }
}

// -----

// A node does not wait for itself.
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.every_n_calls waits for @a itself, so it never runs; name another node
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.every_n_calls @a 1
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.after_n_calls waits for @a itself, so it never runs; name another node
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.after_n_calls @a 1 in trial
      %d = cog.always
      %e = cog.all %d, %c
      cog.condition %e
    }
  }
}

// -----

// All parts of cog.any wait for the node itself.
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.every_n_calls waits for @a itself, so it never runs; name another node
cog.model @m {
  cog.node @a (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.every_n_calls @a 1
      %d = cog.just_ran @a
      %e = cog.any %c, %d
      %f = cog.n_when %e 3
      cog.condition %f
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: reset of @a: cog.every_n_calls counts since the owner of the condition last ran, and a reset never runs; use cog.after_n_calls
cog.model @m {
  cog.node @a (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.reset @a when {
      %c = cog.every_n_calls @b 1
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.just_ran waits for @a itself, so it never runs; name another node
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.just_ran @a
      cog.condition %c
    }
  }
}

// -----

// Every condition is given once, and only trials and runs end.
// CHECK: .mlir:[[# @LINE + 9]]:5: error: end of a pass: only a trial or a run can be terminated, not a pass
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.terminate pass {
      %c = cog.always
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 13]]:5: error: end of a trial is given twice; join the conditions with cog.all or cog.any
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.terminate trial {
      %c = cog.always
      cog.condition %c
    }
    cog.terminate trial {
      %c = cog.always
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: end of a trial: cog.every_n_calls counts since the owner of the condition last ran, and the end of a trial has no owner; use cog.after_n_calls
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.terminate trial {
      %c = cog.every_n_calls @a 2
      cog.condition %c
    }
  }
}

// -----

// Layers hold every node once.
// CHECK: .mlir:[[# @LINE + 8]]:3: error: layers: @b is in no layer; put every node into one
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule layers [[@a]] {
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: layers: @a is in several layers; put every node into one
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule layers [[@a], [@b, @a]] {
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 8]]:3: error: layers: @c is not a node of the model; there are @a, @b
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule layers [[@a], [@b, @c]] {
  }
}

// -----

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

// CHECK: .mlir:[[# @LINE + 9]]:5: error: the body of cog.when is empty; end it with cog.condition
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
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

// -----

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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @b["value"] is tensor<3xf64>; say which element is compared, as in @b["value"][0]
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: index 3 is outside of @b["value"], which is tensor<3xf64>
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @b["value"] is tensor<3xf64>, which has 1 dimension, but there are 2 indices; give one each
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: atol and rtol only mean something for == and <>, not for >
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

// CHECK: .mlir:[[# @LINE + 11]]:21: error: %d is not defined
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.read @b : f64
      cog.condition %d
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: @b["value"] is tensor<3xf64>, not f64; write : tensor<3xf64>
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
// CHECK: .mlir:[[# @LINE + 11]]:7: error: condition of @a: rng.seed cannot be used in a condition, which only looks at values
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

// -----

// CHECK: .mlir:[[# @LINE + 10]]:7: error: the body of cog.when ends in cog.always; end it with cog.condition
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) params(%gain: f64 = 1.0) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.always
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 12]]:5: error: condition of @b: cog.never never holds, and trials wait for @b, @c, so that they never end; give @b
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @c (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @b {
      %c = cog.never
      cog.condition %c
    }
    cog.when @c {
      %c = cog.every_n_calls @b 1
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 13]]:5: error: condition of @b: cog.after_n_calls @a never holds, and trials wait for @b, so that they never end
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.when @a {
      %c = cog.just_ran @b
      cog.condition %c
    }
    cog.when @b {
      %c = cog.after_n_calls @a 2 in run
      cog.condition %c
    }
    cog.terminate trial {
      %c = cog.after_n_calls @b 1 in trial
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: end of a trial: cog.all never holds; give a condition that can hold
cog.model @m {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    cog.terminate trial {
      %n = cog.never
      %p = cog.at_pass 3 in trial
      %c = cog.all %n, %p
      cog.condition %c
    }
  }
}

// -----

// A node that stands aside does not run in the passes: no condition counts it, no layer holds it, nothing resets it.
// CHECK: .mlir:[[# @LINE + 11]]:7: error: condition of @a: @b stands aside; name a node that the passes visit
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.aside @b after
    cog.when @a {
      %c = cog.after_n_calls @b 1 in trial
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 10]]:5: error: reset of @b: @b stands aside; name a node that the passes visit
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.node @b (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.aside @b before
    cog.reset @b when {
      %c = cog.at_trial_start
      cog.condition %c
    }
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: aside @c: @c is not a node of the model; there is @a
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.schedule {
    cog.aside @c before
  }
}

// -----

// What says that a trial has failed is a single number that a node of the model keeps.
// CHECK: .mlir:[[# @LINE + 6]]:5: error: failure of @c: @c is not a node of the model; there is @a
cog.model @m {
  cog.node @a (%x: f64) states(%n: f64 = 0.0) -> (value: f64 = 0.0) {
    cog.yield %x states(%n)
  }
  cog.schedule {
    cog.fail @c state "n" because "no"
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: failure of @a: it has no state "m"; there is "n"
cog.model @m {
  cog.node @a (%x: f64) states(%n: f64 = 0.0) -> (value: f64 = 0.0) {
    cog.yield %x states(%n)
  }
  cog.schedule {
    cog.fail @a state "m" because "no"
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: failure of @a: the state "n" is tensor<2xf64>; name one that is f64
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) states(%n: tensor<2xf64> = dense<0.0>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x states(%n)
  }
  cog.schedule {
    cog.fail @a state "n" because "no"
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: failure of @a: its message is empty; say what has failed, and what to do
cog.model @m {
  cog.node @a (%x: f64) states(%n: f64 = 0.0) -> (value: f64 = 0.0) {
    cog.yield %x states(%n)
  }
  cog.schedule {
    cog.fail @a state "n" because ""
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 7]]:5: error: failure of @a is given twice; give it once
cog.model @m {
  cog.node @a (%x: f64) states(%n: f64 = 0.0) -> (value: f64 = 0.0) {
    cog.yield %x states(%n)
  }
  cog.schedule {
    cog.fail @a state "n" because "no"
    cog.fail @a state "n" because "no"
  }
}

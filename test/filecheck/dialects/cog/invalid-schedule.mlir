// Schedules: layers, ends of trials, resets, failures, nodes beside the passes.
// RUN: cog-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: .mlir:[[# @LINE + 10]]:7: error: end of a trial: cog.time_termination depends on wall-clock time, so results would depend on the speed of the machine; count instead, for example with cog.every_n_passes or cog.after_n_time_steps
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: reset of @a: cog.every_n_calls counts calls since the owner of the condition last ran, and a reset has no executions; use cog.after_n_calls
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: end of a trial: cog.every_n_calls counts calls since the owner of the condition last ran, and the end of a trial has no owner; use cog.after_n_calls
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
// CHECK: .mlir:[[# @LINE + 8]]:3: error: layers: @b is in no layer; put each node into one layer
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

// CHECK: .mlir:[[# @LINE + 8]]:3: error: layers: @a is in several layers; put each node into one layer
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

// CHECK: .mlir:[[# @LINE + 10]]:5: error: reset of @b: @b runs outside the passes; name a node that runs in the passes
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

// CHECK: .mlir:[[# @LINE + 6]]:5: error: failure of @a: the node has no state "m"; there is "n"
cog.model @m {
  cog.node @a (%x: f64) states(%n: f64 = 0.0) -> (value: f64 = 0.0) {
    cog.yield %x states(%n)
  }
  cog.schedule {
    cog.fail @a state "m" because "no"
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: failure of @a: the state "n" has type tensor<2xf64>; name one of type f64
cog.model @m {
  cog.node @a (%x: tensor<2xf64>) states(%n: tensor<2xf64> = dense<0.0>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x states(%n)
  }
  cog.schedule {
    cog.fail @a state "n" because "no"
  }
}

// -----

// CHECK: .mlir:[[# @LINE + 6]]:5: error: failure of @a: its message is empty; write what failed and what to do
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

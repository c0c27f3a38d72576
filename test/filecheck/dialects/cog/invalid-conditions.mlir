// Conditions of nodes: whom they name, what they count, and whether they can ever hold.
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
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.at_pass counts each pass; its scale is pass, but must be longer than a pass; write in trial or in run or in life
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.at_trial counts each trial; its scale is trial, but must be longer than a trial; write in run or in life
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

// CHECK: .mlir:[[# @LINE + 7]]:7: error: a condition that counts needs a time scale; add `in trial`, `in run` ...
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
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.time_interval depends on wall-clock time, so results would depend on the speed of the machine; count instead, for example with cog.every_n_passes or cog.after_n_time_steps
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

// A node does not wait for itself.
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.every_n_calls waits for the node itself, so the node never runs; name another node
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.after_n_calls waits for the node itself, so the node never runs; name another node
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
// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.every_n_calls waits for the node itself, so the node never runs; name another node
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

// CHECK: .mlir:[[# @LINE + 10]]:7: error: condition of @a: cog.just_ran waits for the node itself, so the node never runs; name another node
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

// CHECK: .mlir:[[# @LINE + 12]]:5: error: condition of @b: cog.never never holds, and trials wait for @b, @c, so trials never end; give @b
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

// CHECK: .mlir:[[# @LINE + 13]]:5: error: condition of @b: cog.after_n_calls @a never holds, and trials wait for @b, so trials never end
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

// A node that stands aside does not run in the passes: no condition counts it, no layer holds it, nothing resets it.
// CHECK: .mlir:[[# @LINE + 11]]:7: error: condition of @a: @b runs outside the passes; name a node that runs in the passes
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

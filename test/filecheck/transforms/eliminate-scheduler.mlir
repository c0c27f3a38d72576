// A schedule that only counts is run at compile time and becomes a program; others stay, and say why.
// RUN: cog-opt %s -p eliminate-scheduler --split-input-file | filecheck %s
// RUN: cog-opt %s -p complete-schedule,eliminate-scheduler --split-input-file | filecheck %s
// RUN: cog-opt %s -p eliminate-scheduler,eliminate-scheduler --split-input-file | filecheck %s

// b waits for two calls of a, c (by default) for one of b.
cog.model @phases {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @c (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.project @a -> @b
  cog.project @b -> @c
  cog.output @c
  cog.schedule {
    cog.when @b {
      %second = cog.every_n_calls @a 2
      cog.condition %second
    }
  }
}

// CHECK-LABEL: cog.model @phases
// CHECK:       cog.program {
// CHECK-NEXT:    cog.step [@a]
// CHECK-NEXT:    cog.step [@a]
// CHECK-NEXT:    cog.step [@b]
// CHECK-NEXT:    cog.step [@c]
// CHECK-NEXT:  }

// -----

// Nodes of one layer run together. A node whose body does not say when it has finished always has.
cog.model @layers {
  cog.node @left (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @right (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @sum (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @left
  cog.input @right
  cog.project @left -> @sum
  cog.project @right -> @sum
  cog.output @sum
  cog.schedule {
    cog.terminate trial {
      %finished = cog.when_finished @sum
      %ran = cog.all_have_run [@sum] in trial
      %both = cog.all %finished, %ran
      cog.condition %both
    }
  }
}

// CHECK-LABEL: cog.model @layers
// CHECK:       cog.program {
// CHECK-NEXT:    cog.step [@left, @right]
// CHECK-NEXT:    cog.step [@sum]
// CHECK-NEXT:  }

// -----

// A trial that ends at a threshold takes as long as it takes.
cog.model @threshold {
  cog.node @walk (%x: f64) states(%position: f64 = 0.0) -> (value: f64 = 0.0) {
    %next = arith.addf %position, %x : f64
    cog.yield %next states(%next)
  }
  cog.input @walk
  cog.output @walk
  cog.schedule {
    cog.terminate trial {
      %far = cog.threshold @walk["value"] >= 1.0
      cog.condition %far
    }
  }
}

// CHECK-LABEL: cog.model @threshold
// CHECK:       cog.schedule
// CHECK-SAME:  attributes {cog.residual = "a condition reads port 'value' of @walk"} {
// CHECK-NOT:   cog.program

// -----

// The third trial of a run differs from the others: each trial asks once which it is, and no condition within it.
cog.model @third_trial {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.project @a -> @b
  cog.output @b
  cog.schedule {
    cog.when @b {
      %third = cog.at_trial 2 in run
      cog.condition %third
    }
    cog.terminate trial {
      %pass = cog.after_n_passes 1 in trial
      cog.condition %pass
    }
  }
}

// CHECK-LABEL: cog.model @third_trial
// CHECK-NOT:   cog.residual
// CHECK:       cog.program {
// CHECK-NEXT:    cog.choose ["clock:trial:run"] == 2 {
// CHECK-NEXT:      cog.step [@a]
// CHECK-NEXT:      cog.step [@b]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      cog.step [@a]
// CHECK-NEXT:    }
// CHECK-NEXT:  }

// -----

// Two passes per trial, and b in every third pass of the life: a period of three trials, from wherever they begin. What a program does
// not show, the passes, it counts at its end.
cog.model @period {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.project @a -> @b
  cog.output @b
  cog.schedule {
    cog.when @b {
      %third = cog.every_n_passes 3 in life
      cog.condition %third
    }
    cog.terminate trial {
      %passes = cog.after_n_passes 2 in trial
      cog.condition %passes
    }
  }
}

// CHECK-LABEL: cog.model @period
// CHECK:       cog.program {
// CHECK-NEXT:    cog.choose ["clock:pass:life"] mod 3 == 0 {
// CHECK-NEXT:      cog.step [@a]
// CHECK-NEXT:      cog.step [@b]
// CHECK-NEXT:      cog.step [@a]
// CHECK-NEXT:      cog.advance "clock:pass:life" by 2
// CHECK-NEXT:    } else {
// CHECK-NEXT:      cog.choose ["clock:pass:life"] mod 3 == 2 {
// CHECK-NEXT:        cog.step [@a]
// CHECK-NEXT:        cog.step [@a]
// CHECK-NEXT:        cog.step [@b]
// CHECK-NEXT:        cog.advance "clock:pass:life" by 2
// CHECK-NEXT:      } else {
// CHECK-NEXT:        cog.step [@a]
// CHECK-NEXT:        cog.step [@a]
// CHECK-NEXT:        cog.advance "clock:pass:life" by 2
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }

// -----

// The end of a run is asked before each trial: a trial does not ask again, and here all trials that take place are alike.
cog.model @run_ends {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.project @a -> @b
  cog.output @b
  cog.schedule {
    cog.when @b {
      %late = cog.after_n_trials 5000 in run
      cog.condition %late
    }
    cog.terminate trial {
      %pass = cog.after_n_passes 1 in trial
      cog.condition %pass
    }
    cog.terminate run {
      %enough = cog.after_n_trials 5000 in run
      cog.condition %enough
    }
  }
}

// CHECK-LABEL: cog.model @run_ends
// CHECK:       cog.program {
// CHECK-NEXT:    cog.step [@a]
// CHECK-NEXT:  }

// -----

// A condition that looks at data in the first three trials in which it holds is asked in all.
cog.model @data_at_first {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.project @a -> @b
  cog.output @b
  cog.schedule {
    cog.when @b {
      %large = cog.threshold @a["value"] >= 1.0
      %thrice = cog.n_when %large 3
      cog.condition %thrice
    }
    cog.terminate trial {
      %pass = cog.after_n_passes 1 in trial
      cog.condition %pass
    }
  }
}

// CHECK-LABEL: cog.model @data_at_first
// CHECK:       cog.schedule
// CHECK-SAME:  cog.residual = "a condition reads port 'value' of @a"
// CHECK-NOT:   cog.program

// -----

// b may begin to run in any of 40 passes of a trial: too many programs.
cog.model @too_many {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.project @a -> @b
  cog.output @b
  cog.schedule {
    cog.when @b {
      %late = cog.after_n_calls @a 1000 in life
      cog.condition %late
    }
    cog.terminate trial {
      %passes = cog.after_n_passes 40 in trial
      cog.condition %passes
    }
  }
}

// CHECK-LABEL: cog.model @too_many
// CHECK:       cog.schedule
// CHECK-SAME:  cog.residual = "trials have 41 different programs"
// CHECK-NOT:   cog.program

// -----

// Repetitions become loops.
cog.model @long {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.input @a
  cog.project @a -> @b
  cog.output @b
  cog.schedule {
    cog.when @b {
      %third = cog.every_n_calls @a 3
      cog.condition %third
    }
    cog.terminate trial {
      %passes = cog.after_n_passes 100 in trial
      cog.condition %passes
    }
  }
}

// CHECK-LABEL: cog.model @long
// CHECK:       cog.program {
// CHECK-NEXT:    cog.repeat 33 {
// CHECK-NEXT:      cog.step [@a]
// CHECK-NEXT:      cog.step [@a]
// CHECK-NEXT:      cog.step [@a]
// CHECK-NEXT:      cog.step [@b]
// CHECK-NEXT:    }
// CHECK-NEXT:    cog.step [@a]
// CHECK-NEXT:  }

// What a modeller leaves out of a schedule is written down: layers, conditions of nodes, ends of trials and runs.
// RUN: cog-opt %s -p complete-schedule --split-input-file | filecheck %s
// RUN: cog-opt %s -p complete-schedule,complete-schedule --split-input-file | filecheck %s

// A cycle forms one layer, whose nodes wait for what any of them depends on outside of it; given conditions stay.
cog.model @cycle {
  cog.node @in (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @left (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @right (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.project @in -> @left
  cog.project @left -> @right
  cog.project @right -> @left
  cog.input @in
  cog.output @right
  cog.schedule {
    cog.terminate trial {
      %twice = cog.after_n_calls @right 2 in trial
      cog.condition %twice
    }
    cog.when @left {
      %second = cog.every_n_calls @in 2
      cog.condition %second
    }
  }
}
// CHECK-LABEL: cog.model @cycle
// CHECK:      cog.schedule layers {{\[\[}}@in], [@left, @right]] {
// CHECK-NEXT:   cog.when @in {
// CHECK-NEXT:     %0 = cog.always
// CHECK-NEXT:     cog.condition %0
// CHECK-NEXT:   }
// CHECK-NEXT:   cog.when @left {
// CHECK-NEXT:     %second = cog.every_n_calls @in 2
// CHECK-NEXT:     cog.condition %second
// CHECK-NEXT:   }
// CHECK-NEXT:   cog.when @right {
// CHECK-NEXT:     %0 = cog.every_n_calls @in 1
// CHECK-NEXT:     cog.condition %0
// CHECK-NEXT:   }
// CHECK-NEXT:   cog.terminate trial {
// CHECK-NEXT:     %twice = cog.after_n_calls @right 2 in trial
// CHECK-NEXT:     cog.condition %twice
// CHECK-NEXT:   }
// CHECK-NEXT:   cog.terminate run {
// CHECK-NEXT:     %0 = cog.never
// CHECK-NEXT:     cog.condition %0
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Feedback and recurrent projections do not count, so this chain has three layers; the last node waits for both others.
cog.model @chain {
  cog.node @a (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @b (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @c (%x: f64, %y: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.project @a -> @b
  cog.project @a -> @c["x"]
  cog.project @b -> @c["y"]
  cog.project @c -> @a feedback
  cog.project @b -> @b recurrent
}
// CHECK-LABEL: cog.model @chain
// CHECK:      cog.schedule layers {{\[\[}}@a], [@b], [@c]] {
// CHECK:        cog.when @c {
// CHECK-NEXT:     %0 = cog.every_n_calls @a 1
// CHECK-NEXT:     %1 = cog.every_n_calls @b 1
// CHECK-NEXT:     %2 = cog.all %0, %1
// CHECK-NEXT:     cog.condition %2
// CHECK-NEXT:   }
// CHECK-NEXT:   cog.terminate trial {
// CHECK-NEXT:     %0 = cog.all_have_run [] in trial
// CHECK-NEXT:     cog.condition %0

// -----

// The nodes of the Necker cube form one cycle, hence one layer, as in PsyNeuLink; a modulation that closes a cycle is cut.
cog.model @necker {
  cog.node @node3 (%x: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @node4 (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.node @late (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.project @node3 -> @node4
  cog.project @node4 -> @node3
  cog.project @node4 -> @late
  cog.modulate @late -> @node3["gain"] multiply
}
// CHECK-LABEL: cog.model @necker
// CHECK:      cog.schedule layers {{\[\[}}@node3, @node4], [@late]] {

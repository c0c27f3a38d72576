// The log of a node: after each execution its row takes the trial, the pass and the time step, then the values of the ports that are logged.
// What has no room overwrites the last row. Trials are loops of passes, which know the time, also where a program was found.
// RUN: cog-opt %s -p 'convert-cog-to-machine{logged="decision/port:value" log-room=4}' | filecheck %s

cog.model @decide {
  cog.node @evidence (%in: f64) -> (value: f64 = 0.0) {
    cog.yield %in
  }
  cog.node @decision (%in: f64) states(%x: f64 = 0.0) -> (value: f64 = 0.0, other: f64 = 0.0) {
    %next = arith.addf %x, %in : f64
    cog.yield %next, %x states(%next)
  }
  cog.input @evidence
  cog.project @evidence -> @decision
  cog.output @decision["value"]
  cog.schedule layers [[@evidence], [@decision]] {
    cog.program {
      cog.step [@evidence]
      cog.step [@decision]
    }
  }
}

// CHECK:      func.func @trial(
// CHECK:        scf.while
// CHECK-NOT:    arith.sitofp
// CHECK:          scf.if %decision_runs
// CHECK:            arith.addf
// CHECK:            [[LEFT:%.*]] = arith.cmpi slt, [[COUNT:%decision_count.*]], [[LAST:%.*]] : i64
// CHECK:            [[ROW:%.*]] = arith.select [[LEFT]], [[COUNT]], [[LAST]] : i64
// CHECK:            [[START:%.*]] = arith.muli [[ROW]], {{.*}} : i64
// CHECK:            [[PLACE:%.*]] = arith.addi [[START]], {{.*}} : i64
// CHECK:            %row = arith.index_cast [[PLACE]] : i64 to index
// CHECK:            [[TRIAL:%.*]] = arith.sitofp %clock_trial_life{{.*}}
// CHECK:            tensor.insert [[TRIAL]] into
// CHECK:            [[PASS:%.*]] = arith.sitofp %clock_pass_trial{{.*}}
// CHECK:            tensor.insert [[PASS]] into
// CHECK:            [[STEP:%.*]] = arith.sitofp %clock_time_step_pass{{.*}}
// CHECK:            tensor.insert [[STEP]] into
// CHECK:            [[VALUE:%.*]] = tensor.extract
// CHECK:            tensor.insert [[VALUE]] into
// CHECK:            arith.addi [[COUNT]]
//
// CHECK: "decision/log:count" = ["si", 6 : i64, i64]
// CHECK: "decision/log:rows" = ["sf", 4 : i64, tensor<4x4xf64>]

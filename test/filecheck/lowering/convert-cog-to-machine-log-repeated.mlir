// A node that executes until it has finished, and is logged: each of its executions in a call has a row, so the loop carries the buffer.
// RUN: cog-opt %s -p 'convert-cog-to-machine{logged="decision/port:value" log-room=4}' | filecheck %s

cog.model @decide {
  cog.node @decision (%in: f64) states(%x: f64 = 0.0) -> (value: f64 = 0.0) until_finished max 9 {
    %next = arith.addf %x, %in : f64
    %one = arith.constant 1.0 : f64
    %over = arith.cmpf oge, %next, %one : f64
    cog.yield %next states(%next) finished(%over)
  }
  cog.input @decision
  cog.output @decision
  cog.schedule layers [[@decision]] {
    cog.program {
      cog.step [@decision]
    }
  }
}

// CHECK:      func.func @trial(
// CHECK:        scf.if %decision_runs
// CHECK:          scf.while (%sf{{.*}} = %sf{{.*}}, %si{{.*}} = %si{{.*}}, {{.*}}) : (tensor<18xf64>, tensor<7xi64>, i64)
// CHECK:            arith.addf %decision_x, %decision_in
// CHECK:            %over{{.*}} = arith.cmpf oge
// CHECK:            %row = arith.index_cast
// CHECK:            [[TRIAL:%.*]] = arith.sitofp %clock_trial_life
// CHECK:            tensor.insert [[TRIAL]] into %sf
// CHECK:            arith.addi %decision_count
// CHECK:            scf.condition

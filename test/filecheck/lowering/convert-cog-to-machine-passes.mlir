// Conditions that depend on data become a loop of passes, which carries the state buffers; a node that may run stands in an
// scf.if, in which its call is counted; a node that executes until it has finished is a loop of its own inside.
// RUN: cog-opt %s -p convert-cog-to-machine | filecheck %s

cog.model @decide {
  cog.node @evidence (%in: f64) -> (value: f64 = 0.0) {
    cog.yield %in
  }
  cog.node @decision (%in: f64) states(%x: f64 = 0.0) -> (value: f64 = 0.0) until_finished max 9 {
    %next = arith.addf %x, %in : f64
    %one = arith.constant 1.0 : f64
    %done = arith.cmpf ogt, %next, %one : f64
    cog.yield %next states(%next) finished(%done)
  }
  cog.input @evidence
  cog.project @evidence -> @decision
  cog.output @decision
  cog.schedule layers [[@evidence], [@decision]] {
    cog.when @decision {
      %c = cog.every_n_calls @evidence 2
      cog.condition %c
    }
    cog.terminate trial {
      %d = cog.when_finished @decision
      cog.condition %d
    }
  }
}

// Of all counters, the two that a condition reads are kept.
// CHECK:      func.func @trial(
// CHECK:        scf.while (%sf_{{.*}} = %sf, %si_{{.*}} = {{.*}}, {{.*}} = {{.*}}) : (tensor<3xf64>, tensor<3xi64>, i64) -> (tensor<3xf64>, tensor<3xi64>, i64) {
// CHECK:          [[LEFT:%.*]] = arith.cmpi slt, {{.*}}, %limit_passes
// CHECK:          [[OVER:%decision_finished.*]] = arith.cmpi ne, %decision_finished
// CHECK:          [[GOES:%.*]] = arith.xori [[OVER]], {{.*}}
// CHECK:          [[AGAIN:%.*]] = arith.andi [[GOES]], [[LEFT]]
// CHECK-NEXT:     scf.condition([[AGAIN]])
// CHECK:        } do {
// CHECK:          scf.if %evidence_runs
// CHECK:            [[CALLS:%.*]] = arith.addi %decision_evidence
// CHECK:            tensor.insert [[CALLS]] into
// CHECK:            tensor.insert %evidence_in into
// CHECK:          [[RUNS:%decision_runs]] = arith.andi
// CHECK:          scf.if [[RUNS]] -> (tensor<3xf64>, tensor<3xi64>) {
// CHECK:            tensor.insert {{.*}} into
// CHECK:            scf.while
// CHECK:              [[NEXT:%.*]] = arith.addf
// CHECK:              [[DONE:%.*]] = arith.cmpf ogt, [[NEXT]]
// CHECK:              %executions{{.*}} = arith.addi
// CHECK:              scf.condition
// CHECK:        arith.cmpi sge, %passes, %limit_passes
// CHECK:        func.return
//
// CHECK: "decision/finished" = ["si", 0 : i64, i1]
// CHECK: "decision/calls_of:evidence" = ["si", 1 : i64, i64]
// CHECK: "limit:passes" = ["pi", {{.*}}
// CHECK: status = ["si", 2 : i64, i64]

// A grid search is a loop nest over the levels; a cost stands in the loop of its signal, the draw stands for all points in
// the innermost loop on the same generator (so that it can be moved out), and ties are drawn from a generator that is carried.
// RUN: cog-opt %s -p convert-cog-to-machine | filecheck %s --check-prefixes=CHECK,PLAIN
// RUN: cog-opt %s -p 'convert-cog-to-machine{save_values=true}' | filecheck %s --check-prefixes=CHECK,SAVE

cog.model @agent {
  cog.node @observe (%in: f64) params(%noise: f64 = 1.0) random(%r: !rng.state<mt19937> = @noise) -> (value: f64 = 0.0) {
    %draw, %next = rng.normal %r : !rng.state<mt19937> -> f64
    %scaled = arith.mulf %draw, %noise : f64
    %seen = arith.addf %in, %scaled : f64
    cog.yield %seen random(%next)
  }
  cog.node @act (%in: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    %value = arith.mulf %in, %gain : f64
    cog.yield %value
  }
  cog.input @observe
  cog.project @observe -> @act
  cog.output @act
  cog.grid_search @control after minimize @act ties random @ties {
    cog.signal @noise levels [0.0, 1.0, 2.0] cost intensity @effort
    cog.signal @gain levels [1.0, 2.0]
  }
  cog.modulate @control["noise"] -> @observe["noise"] multiply
  cog.modulate @control["gain"] -> @act["gain"] multiply
  cog.schedule layers [[@observe], [@act]] { cog.program { cog.step [@observe] cog.step [@act] } }
}
func.func private @effort(%level: f64) -> f64 {
  func.return %level : f64
}
rng.stream @noise mt19937 seed 1
rng.stream @ties mt19937 seed 2

// CHECK:      func.func @trial({{.*}}%observe_r: !rng.state<mt19937> {cog.updates = 2 : i64}, %control_ties: !rng.state<mt19937> {cog.updates = 3 : i64})
// The trial itself draws once, and its generator is what the simulations start from.
// CHECK:        [[DRAW:%.*]], [[AFTER:%.*]] = rng.normal %observe_r
// CHECK:        scf.for %noise_index = {{.*}} iter_args(%best{{.*}}, %best_index{{.*}}, %ties{{.*}}, %control_ties{{.*}} = %control_ties
// CHECK:          %noise{{.*}} = tensor.extract %control_noise_1[%noise_index]
// CHECK:          %noise_cost = func.call @effort(%noise
// CHECK:          scf.for %gain_index
// CHECK:            %gain{{.*}} = tensor.extract
// CHECK:            rng.normal [[AFTER]]
// CHECK:            %value{{.*}} = arith.subf {{.*}}, %cost
// CHECK:            %is_better = arith.cmpf olt, %value
// CHECK:            scf.if %is_close -> (i1, !rng.state<mt19937>) {
// CHECK:              rng.uniform
// CHECK:              arith.divf
// CHECK:              %is_drawn{{.*}} = arith.cmpf olt
// PLAIN-NOT:        tensor.insert %value
// SAVE:             %values{{.*}} = tensor.insert %value
// CHECK:            scf.yield
// CHECK:        func.return {{.*}}[[AFTER]]
//
// PLAIN-NOT: "control/values"
// SAVE: "control/values" = ["sf", {{.*}}, tensor<6xf64>]

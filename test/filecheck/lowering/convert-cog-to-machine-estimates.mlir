// `cog.estimates`: the innermost loop of a search sums up what its simulations give, each with the next number in force; after the search
// the port holds the first number, and the next search begins further on, counted on from 0 at `below`.
// RUN: cog-opt %s -p convert-cog-to-machine | filecheck %s

cog.model @m {
  cog.node @a (%in: f64) params(%gain: f64 = 1.0, %seed: f64 = 0.0) -> (value: f64 = 0.0) {
    %product = arith.mulf %in, %gain : f64
    %value = arith.addf %product, %seed : f64
    cog.yield %value
  }
  cog.input @a
  cog.output @a
  cog.modulate @control["gain"] -> @a["gain"] multiply
  cog.modulate @control["seed"] -> @a["seed"] override
  cog.grid_search @control after maximize @a {
    cog.signal @gain levels [1.0, 2.0]
    cog.estimates @seed 3 from 35 step 5 below 1000 initial 3.0 advance 90
  }
  cog.schedule layers [[@a]] { cog.program { cog.step [@a] } }
}

// CHECK-LABEL: func.func @trial
// CHECK-DAG:   [[BELOW:%.*]] = arith.constant 1000 : i64
// CHECK-DAG:   [[COUNT:%.*]] = arith.constant 3.000000e+00 : f64
// CHECK:       scf.for %gain_index
// CHECK:         [[TOTAL:%total]] = scf.for %estimate
// CHECK:           arith.muli
// CHECK:           arith.addi
// CHECK:           [[WRAPPED:%.*]] = arith.remsi %{{.*}}, [[BELOW]] : i64
// CHECK:           [[SEED:%.*]] = arith.sitofp [[WRAPPED]] : i64 to f64
// CHECK:           arith.addf %{{.*}}, [[SEED]]
// CHECK:           arith.addf
// CHECK:         %value{{.*}} = arith.divf [[TOTAL]], [[COUNT]] : f64
// CHECK:       arith.sitofp
// CHECK:       arith.remsi %{{.*}}, [[BELOW]] : i64
//
// CHECK: "control/initial:seeds:first" = ["pi", 0 : i64, i64]
// CHECK: "control/seeds:first" = ["si", 0 : i64, i64]

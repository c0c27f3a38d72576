// Nodes become simpler ones that are equal in a sense to which the user consents.
// RUN: cog-opt %s -p replace-equivalent-nodes | filecheck %s --check-prefixes=CHECK,BITS
// RUN: cog-opt %s -p 'replace-equivalent-nodes{consent="reals"}' | filecheck %s --check-prefixes=CHECK,REALS
// RUN: cog-opt %s -p 'replace-equivalent-nodes{consent="limit"}' | filecheck %s --check-prefixes=CHECK,LIMIT

// An accumulator without leak is a drift diffusion, but for rounding: its noise is multiplied in another order. One with a leak is none.

// CHECK-LABEL: cog.model @accumulators
// CHECK: cog.node @plain
// BITS: func.call @accumulate
// REALS: params (%rate: f64 = 1.0, %noise: f64 = 0.5
// REALS: func.call @drift_diffusion_integrator
// LIMIT: func.call @drift_diffusion_at_a_bound
// CHECK: cog.node @leaky
// CHECK: func.call @accumulate
cog.model @accumulators {
  cog.node @plain (%x: tensor<1xf64>)
      params (%leak: f64 = 0.0, %noise: f64 = 0.5, %threshold: f64 = 1.0, %time_step_size: f64 = 0.01)
      states (%v: tensor<1xf64> = dense<0.0>, %t: f64 = 0.0) random (%r: !rng.state<mt19937> = @plain_stream)
      -> (value: tensor<1xf64> = dense<0.0>, time: f64 = 0.0) until_finished max 9223372036854775807 {
    %value, %time, %next, %done = func.call @accumulate(%x, %leak, %noise, %threshold, %time_step_size, %v, %t, %r)
        : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>, f64, !rng.state<mt19937>) -> (tensor<1xf64>, f64, !rng.state<mt19937>, i1)
    cog.yield %value, %time states(%value, %time) random(%next) finished(%done)
  }
  cog.node @leaky (%x: tensor<1xf64>)
      params (%leak: f64 = 0.1, %noise: f64 = 0.5, %threshold: f64 = 1.0, %time_step_size: f64 = 0.01)
      states (%v: tensor<1xf64> = dense<0.0>, %t: f64 = 0.0) random (%r: !rng.state<mt19937> = @leaky_stream)
      -> (value: tensor<1xf64> = dense<0.0>, time: f64 = 0.0) until_finished max 9223372036854775807 {
    %value, %time, %next, %done = func.call @accumulate(%x, %leak, %noise, %threshold, %time_step_size, %v, %t, %r)
        : (tensor<1xf64>, f64, f64, f64, f64, tensor<1xf64>, f64, !rng.state<mt19937>) -> (tensor<1xf64>, f64, !rng.state<mt19937>, i1)
    cog.yield %value, %time states(%value, %time) random(%next) finished(%done)
  }
  cog.input @plain
  cog.input @leaky
  cog.output @plain["time"]
  cog.output @leaky["time"]
  cog.schedule {
    cog.reset @plain when {
      %0 = cog.at_trial_start
      cog.condition %0
    }
    cog.reset @leaky when {
      %0 = cog.at_trial_start
      cog.condition %0
    }
  }
}

// v' = clip(v + (x - leak * v) * dt + (noise * n) * sqrt(dt))
func.func private @accumulate(%x: tensor<1xf64>, %leak: f64, %noise: f64, %threshold: f64, %dt: f64, %v: tensor<1xf64>, %t: f64, %r: !rng.state<mt19937>) -> (tensor<1xf64>, f64, !rng.state<mt19937>, i1) {
  %zero = arith.constant 0 : index
  %n, %next = rng.normal %r : !rng.state<mt19937> -> f64
  %root = math.sqrt %dt : f64
  %x0 = tensor.extract %x[%zero] : tensor<1xf64>
  %v0 = tensor.extract %v[%zero] : tensor<1xf64>
  %lost = arith.mulf %leak, %v0 : f64
  %slope = arith.subf %x0, %lost : f64
  %step = arith.mulf %slope, %dt : f64
  %moved = arith.addf %v0, %step : f64
  %scaled = arith.mulf %noise, %n : f64
  %shaken = arith.mulf %scaled, %root : f64
  %whole = arith.addf %moved, %shaken : f64
  %below = arith.negf %threshold : f64
  %above = arith.maximumf %whole, %below : f64
  %clipped = arith.minimumf %above, %threshold : f64
  %size = math.absf %clipped : f64
  %done = arith.cmpf oge, %size, %threshold : f64
  %value = tensor.from_elements %clipped : tensor<1xf64>
  %time = arith.addf %t, %dt : f64
  func.return %value, %time, %next, %done : tensor<1xf64>, f64, !rng.state<mt19937>, i1
}
rng.stream @plain_stream mt19937 seed 1
rng.stream @leaky_stream mt19937 seed 2

// One model, every level, one answer: a drift-diffusion model makes the same choices after the same reaction times at every stage that can
// be executed, and natively. Each step is `x + drift * dt + noise * sqrt(dt) * draw`; the third trial is fast and wrong.
// RUN: cog-run %s --stage cog -n 3 | filecheck %s
// RUN: cog-opt %s --emit=scheduled | cog-run --stage cog -n 3 | filecheck %s
// RUN: cog-run %s --stage machine -n 3 | filecheck %s
// RUN: cog-run %s --stage loops -n 3 | filecheck %s
// RUN: cog-run %s --stage cf -n 3 | filecheck %s
// RUN: cog-run %s -n 3 --no-cache | filecheck %s

// CHECK:      trial  decision/choice  decision/time
// CHECK-NEXT:     0              0.4           0.32
// CHECK-NEXT:     1              0.4           0.72
// CHECK-NEXT:     2             -0.4           0.17
cog.model @ddm {
  cog.node @decision ()
      params (%drift: f64 = 0.8, %noise: f64 = 1.0, %bound: f64 = 0.4 in (0.0, inf], %dt: f64 = 0.01)
      states (%x: f64 = 0.0, %t: f64 = 0.0)
      random (%r: !rng.state<philox4x64> = @noise)
      -> (choice: f64 = 0.0, time: f64 = 0.0) until_finished {
    %draw, %rest = rng.normal %r : !rng.state<philox4x64> -> f64
    %step = arith.mulf %drift, %dt : f64
    %moved = arith.addf %x, %step : f64
    %root = math.sqrt %dt : f64
    %scale = arith.mulf %noise, %root : f64
    %random = arith.mulf %scale, %draw : f64
    %next = arith.addf %moved, %random : f64
    %time = arith.addf %t, %dt : f64
    %size = math.absf %next : f64
    %decided = arith.cmpf oge, %size, %bound : f64
    %choice = math.copysign %bound, %next : f64
    cog.yield %choice, %time states(%next, %time) random(%rest) finished(%decided)
  }
  cog.output @decision["choice"]
  cog.output @decision["time"]
  cog.schedule {
    cog.reset @decision when {
      %start = cog.at_trial_start
      cog.condition %start
    }
  }
}
rng.stream @noise philox4x64 seed 4

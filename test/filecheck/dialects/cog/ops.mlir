// Every operation of the dialect but the conditions reads and prints back, in its own form and in the generic one.
// RUN: cog-opt %s | cog-opt | filecheck %s
// RUN: cog-opt %s --print-op-generic | cog-opt | filecheck %s

func.func private @price(%x: f64) -> f64 {
  %y = math.exp %x : f64
  func.return %y : f64
}

// Names may hold anything; where they cannot be the name of a value, they stand beside it.
// CHECK-LABEL: cog.model @"two walkers" {
cog.model @"two walkers" {
  // CHECK-NEXT: cog.node @stimulus (%in: tensor<2xf64>) -> (value: tensor<2xf64> = dense<[nan, -inf]> labels ["left", "ri\22ght"] unit "cd") {
  // CHECK-NEXT:   cog.yield %in
  // CHECK-NEXT: }
  cog.node @stimulus (%in: tensor<2xf64>) -> (value: tensor<2xf64> = dense<[nan, -inf]> labels ["left", "ri\"ght"] unit "cd") {
    cog.yield %in
  }
  // CHECK-NEXT: cog.node @"PLAYER \22OBS\22" (%0 "x in": tensor<1xf64>, %gate: tensor<1xf64> product)
  // CHECK-NEXT:     params (%rate: f64 = 1.0, %bits: f64 = 0x7FF8000000000001, %small: f64 = -1.0e-300 in [-1.0, 0.0), %count: i64 = -3 in [-inf, 7.5], %on: i1 = true)
  // CHECK-NEXT:     states (%x: tensor<1xf64> = dense<0.0>, %1 "any state": tensor<2x2xi64> = dense<{{\[\[}}1, 2], [3, -4]]>, %f: f32 = 0.1 in (0.0, inf])
  // CHECK-NEXT:     random (%r: !rng.state<mt19937> = @noise)
  // CHECK-NEXT:     -> (value: tensor<1xf64> = dense<0.0>, "the time": f64 = inf) until_finished max 500 {
  cog.node @"PLAYER \"OBS\"" (%0 "x in": tensor<1xf64>, %gate: tensor<1xf64> product)
      params (%rate: f64 = 1.0, %bits: f64 = 0x7FF8000000000001, %small: f64 = -1.0e-300 in [-1.0, 0.0), %count: i64 = -3 in [-inf, 7.5], %on: i1 = true)
      states (%x: tensor<1xf64> = dense<0.0>, %1 "any state": tensor<2x2xi64> = dense<[[1, 2], [3, -4]]>, %f: f32 = 0.1 in (0.0, inf])
      random (%r: !rng.state<mt19937> = @noise)
      -> (value: tensor<1xf64> = dense<0.0>, "the time": f64 = inf) until_finished max 500 {
    %n, %r1 = rng.normal %r : !rng.state<mt19937> -> tensor<1xf64>
    %done = arith.constant true
    // CHECK: cog.yield %n, %rate states(%x, %1, %f) random(%r1) finished(%done)
    cog.yield %n, %rate states(%x, %1, %f) random(%r1) finished(%done)
  }
  // CHECK: cog.node @sink () -> () {
  // CHECK-NEXT: cog.yield
  // CHECK-NEXT: }
  cog.node @sink () -> () {
    cog.yield
  }
  // CHECK-NEXT: cog.node @shade (%in: tensor<2xf64>) -> () {
  // CHECK-NEXT: cog.yield
  // CHECK-NEXT: }
  cog.node @shade (%in: tensor<2xf64>) -> () {
    cog.yield
  }
  // CHECK-NEXT: cog.node @last ()
  // CHECK-NEXT:     states (%n: f64 = 0.0)
  // CHECK-NEXT:     -> () {
  // CHECK-NEXT: cog.yield states(%n)
  // CHECK-NEXT: }
  cog.node @last () states(%n: f64 = 0.0) -> () {
    cog.yield states(%n)
  }
  // CHECK-NEXT: cog.project @stimulus -> @"PLAYER \22OBS\22"["x in"] matrix dense<{{\[\[}}1.0], [nan]]> : tensor<2x1xf64>
  cog.project @stimulus -> @"PLAYER \22OBS\22"["x in"] matrix dense<[[1.0], [nan]]> : tensor<2x1xf64>
  // CHECK-NEXT: cog.project @learned @stimulus["value"] -> @"PLAYER \22OBS\22"["gate"] feedback (%v: tensor<2xf64>)
  // CHECK-NEXT:     params (%w: tensor<2x1xf64> = dense<0.5>)
  // CHECK-NEXT:     states (%s: f64 = 0.0) {
  cog.project @learned @stimulus["value"] -> @"PLAYER \"OBS\""["gate"] feedback (%v: tensor<2xf64>)
      params(%w: tensor<2x1xf64> = dense<0.5>) states(%s: f64 = 0.0) {
    %z = arith.constant dense<2.0> : tensor<1xf64>
    cog.yield %z states(%s)
  }
  // CHECK: cog.project @stimulus -> @stimulus matrix dense<{{\[\[}}0.0, -1.0], [0x7FF8000000000001, -0.0]]> : tensor<2x2xf64> recurrent
  cog.project @stimulus -> @stimulus matrix dense<[[0, -1.0], [0x7FF8000000000001, -0]]> : tensor<2x2xf64> recurrent
  // CHECK-NEXT: cog.input @stimulus
  cog.input @stimulus
  // CHECK-NEXT: cog.shadow @stimulus -> @shade["in"]
  cog.shadow @stimulus -> @shade["in"]
  // CHECK-NEXT: cog.output @"PLAYER \22OBS\22"["the time"]
  cog.output @"PLAYER \22OBS\22"["the time"]
  // CHECK-NEXT: cog.modulate @control["gain"] -> @"PLAYER \22OBS\22"["rate"] override
  cog.modulate @control["gain"] -> @"PLAYER \22OBS\22"["rate"] override
  // CHECK-NEXT: cog.modulate @control["gain"] -> @learned["w"] multiply
  cog.modulate @control["gain"] -> @learned["w"] multiply
  // CHECK-NEXT: cog.modulate @control["gain"] -> @inner["only/leak"] add
  cog.modulate @control["gain"] -> @inner["only/leak"] add
  // CHECK-NEXT: cog.instance @inner of @other
  cog.instance @inner of @other
  // CHECK-NEXT: cog.project @"PLAYER \22OBS\22"["value"] -> @inner["only"]
  cog.project @"PLAYER \22OBS\22"["value"] -> @inner["only"]
  // CHECK-NEXT: cog.schedule layers {{\[\[}}@stimulus], [@"PLAYER \22OBS\22", @sink], [@inner, @shade]] {
  cog.schedule layers [[@stimulus], [@"PLAYER \22OBS\22", @sink], [@inner, @shade]] {
    // CHECK-NEXT: cog.when @stimulus {
    // CHECK-NEXT:   %c = cog.always
    // CHECK-NEXT:   cog.condition %c
    // CHECK-NEXT: }
    cog.when @stimulus {
      %c = cog.always
      cog.condition %c
    }
    // CHECK-NEXT: cog.aside @last after
    cog.aside @last after
    // CHECK-NEXT: cog.reset @stimulus when {
    cog.reset @stimulus when {
      %c = cog.at_trial_start
      cog.condition %c
    }
    // CHECK: cog.fail @last state "n" because "too much of it; give less"
    cog.fail @last state "n" because "too much of it; give less"
    // CHECK: cog.terminate run {
    cog.terminate run {
      %c = cog.never
      cog.condition %c
    }
    // CHECK: cog.program {
    // CHECK-NEXT: cog.step [@stimulus, @sink]
    // CHECK-NEXT: cog.repeat 3 {
    // CHECK-NEXT: cog.step [@sink]
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    cog.program {
      cog.step [@stimulus, @sink]
      cog.repeat 3 {
        cog.step [@sink]
      }
    }
  }
  // CHECK: cog.grid_search @control of @"two walkers" before minimize @"PLAYER \22OBS\22"["the time"] ties random @noise trials 3 estimates 4 seeds same seed_base 7 {
  // CHECK-NEXT: cog.signal @gain levels [0.0, 1.0e+22, 3.0] initial 0.5 cost intensity @price cost duration @price clip
  // CHECK-NEXT: cog.signal @other levels [-inf] initial 1.0
  // CHECK-NEXT: cog.feature 0 from @stimulus["value"]
  cog.grid_search @control of @"two walkers" before minimize @"PLAYER \22OBS\22"["the time"] ties random @noise trials 3
      estimates 4 seeds same seed_base 7 {
    cog.signal @gain levels [0.0, 1.0e22, 3] initial 0.5 cost intensity @price cost duration @price clip
    cog.signal @other levels [-inf]
    cog.feature 0 from @stimulus["value"]
  }
}

// CHECK-LABEL: cog.model @other attributes {note = "by hand"} {
cog.model @other attributes {note = "by hand"} {
  cog.node @only (%x: tensor<1xf64>) params(%leak: f64 = 0.5) -> (value: tensor<1xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.input @only
  cog.output @only
}

// CHECK-LABEL: cog.model @empty {
// CHECK-NEXT: }
cog.model @empty {
}

// CHECK: rng.stream @noise mt19937 seed 42
rng.stream @noise mt19937 seed 42

// CHECK-LABEL: cog.model @estimating {
cog.model @estimating {
  cog.node @only (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  // CHECK: cog.grid_search @control after maximize @only["value"] ties first {
  // CHECK-NEXT: cog.signal @gain levels [0.0] initial 1.0
  // CHECK-NEXT: cog.estimates @seed 3 from 35 step 5 below 1000 initial 3.0 advance 90
  cog.grid_search @control after maximize @only["value"] {
    cog.signal @gain levels [0.0]
    cog.estimates @seed 3 from 35 step 5 below 1000 initial 3 advance 90
  }
}

// CHECK-LABEL: cog.model @estimating_plainly {
cog.model @estimating_plainly {
  cog.node @only (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  // CHECK: cog.estimates @seed 2 from 0 initial 0.0
  cog.grid_search @control after maximize @only["value"] {
    cog.signal @gain levels [0.0]
    cog.estimates @seed 2
  }
}

// CHECK-LABEL: cog.model @features {
cog.model @features {
  cog.node @one (%x: tensor<2xf64>) -> (value: f64 = 0.0) {
    %zero = arith.constant 0 : index
    %first = tensor.extract %x[%zero] : tensor<2xf64>
    cog.yield %first
  }
  cog.node @other (%x: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
    cog.yield %x
  }
  cog.input @one
  cog.input @other
  // CHECK: cog.feature 0 : tensor<2xf64> = dense<[1.0, 2.0]>
  // CHECK-NEXT: cog.feature 1 from input 0
  cog.grid_search @control after maximize @one {
    cog.signal @gain levels [0.0]
    cog.feature 0 : tensor<2xf64> = dense<[1.0, 2.0]>
    cog.feature 1 from input 0
  }
}

// CHECK-LABEL: cog.model @programs {
cog.model @programs {
  cog.node @one (%x: f64) -> (value: f64 = 0.0) {
    cog.yield %x
  }
  cog.schedule {
    // CHECK: cog.program {
    // CHECK-NEXT: cog.choose ["one/calls:run", "one/calls:life"] >= 3 {
    // CHECK-NEXT: cog.step [@one]
    // CHECK-NEXT: cog.step []
    // CHECK-NEXT: cog.advance "clock:pass:run" by 2
    // CHECK-NEXT: } else {
    // CHECK-NEXT: cog.choose ["clock:pass:life"] mod 3 == 1 {
    // CHECK-NEXT: } else {
    // CHECK-NEXT: cog.choose ["one/just_ran"] == 1 {
    // CHECK-NEXT: cog.step [@one]
    // CHECK-NEXT: } else {
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    cog.program {
      cog.choose ["one/calls:run", "one/calls:life"] >= 3 {
        cog.step [@one]
        cog.step []
        cog.advance "clock:pass:run" by 2
      } else {
        cog.choose ["clock:pass:life"] mod 3 == 1 {
        } else {
          cog.choose ["one/just_ran"] == 1 {
            cog.step [@one]
          } else {
          }
        }
      }
    }
  }
}

builtin.module {
  cog.model @predator_prey_xl {
    cog.node @"PLAYER POS" (%variable: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
      cog.yield %variable
    }
    cog.node @"PREDATOR POS" (%variable: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
      cog.yield %variable
    }
    cog.node @"PREY POS" (%variable: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
      cog.yield %variable
    }
    cog.node @"PLAYER OBS" (%variable: tensor<2xf64>)
        params (%variance: f64 = 1.0 in [0.0, inf], %bias: f64 = 0.0, %scale: f64 = 1.0, %offset: f64 = 0.0)
        random (%random: !rng.state<mt19937> = @PLAYER_OBS_stream)
        -> (value: tensor<2xf64> = dense<0.0>) {
      %0, %1 = func.call @gaussian_distort(%variable, %variance, %bias, %scale, %offset, %random) : (tensor<2xf64>, f64, f64, f64, f64, !rng.state<mt19937>) -> (tensor<2xf64>, !rng.state<mt19937>)
      cog.yield %0 random(%1)
    }
    cog.node @"PREY OBS" (%variable: tensor<2xf64>)
        params (%variance: f64 = 1.0 in [0.0, inf], %bias: f64 = 0.0, %scale: f64 = 1.0, %offset: f64 = 0.0)
        random (%random: !rng.state<mt19937> = @PREY_OBS_stream)
        -> (value: tensor<2xf64> = dense<0.0>) {
      %0, %1 = func.call @gaussian_distort(%variable, %variance, %bias, %scale, %offset, %random) : (tensor<2xf64>, f64, f64, f64, f64, !rng.state<mt19937>) -> (tensor<2xf64>, !rng.state<mt19937>)
      cog.yield %0 random(%1)
    }
    cog.node @"PREDATOR OBS" (%variable: tensor<2xf64>)
        params (%variance: f64 = 1.0 in [0.0, inf], %bias: f64 = 0.0, %scale: f64 = 1.0, %offset: f64 = 0.0)
        random (%random: !rng.state<mt19937> = @PREDATOR_OBS_stream)
        -> (value: tensor<2xf64> = dense<0.0>) {
      %0, %1 = func.call @gaussian_distort(%variable, %variance, %bias, %scale, %offset, %random) : (tensor<2xf64>, f64, f64, f64, f64, !rng.state<mt19937>) -> (tensor<2xf64>, !rng.state<mt19937>)
      cog.yield %0 random(%1)
    }
    cog.node @ACTION (%predator: tensor<2xf64>, %player: tensor<2xf64>, %prey: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
      %0 = func.call @move(%predator, %player, %prey) : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
      cog.yield %0
    }
    cog.node @"DIRECT MOVE" (%sample: tensor<2xf64>, %target: tensor<2xf64>)
        params (%scale: f64 = 1.0, %offset: f64 = 0.0)
        -> (outcome: tensor<2xf64> = dense<0.0>) {
      %0 = func.call @comparator(%sample, %target, %scale, %offset) : (tensor<2xf64>, tensor<2xf64>, f64, f64) -> tensor<2xf64>
      cog.yield %0
    }
    cog.node @OBJECTIVE (%action: tensor<2xf64>, %direct: tensor<2xf64>) -> (outcome: f64 = 0.0) {
      %0 = func.call @agreement(%action, %direct) : (tensor<2xf64>, tensor<2xf64>) -> f64
      cog.yield %0
    }
    cog.input @"PLAYER POS"["variable"]
    cog.input @"PREDATOR POS"["variable"]
    cog.input @"PREY POS"["variable"]
    cog.output @ACTION["value"]
    cog.project @"PLAYER POS"["value"] -> @"PLAYER OBS"["variable"]
    cog.project @"PREDATOR POS"["value"] -> @"PREDATOR OBS"["variable"]
    cog.project @"PREY POS"["value"] -> @"PREY OBS"["variable"]
    cog.project @"PLAYER POS"["value"] -> @"DIRECT MOVE"["sample"]
    cog.project @"PREY POS"["value"] -> @"DIRECT MOVE"["target"]
    cog.project @"PREDATOR OBS"["value"] -> @ACTION["predator"]
    cog.project @"PREY OBS"["value"] -> @ACTION["player"]
    cog.project @"PLAYER OBS"["value"] -> @ACTION["prey"]
    cog.project @ACTION["value"] -> @OBJECTIVE["action"]
    cog.project @"DIRECT MOVE"["outcome"] -> @OBJECTIVE["direct"]
    cog.modulate @CONTROL["PLAYER OBS variance"] -> @"PLAYER OBS"["variance"] multiply
    cog.modulate @CONTROL["PREDATOR OBS variance"] -> @"PREDATOR OBS"["variance"] multiply
    cog.modulate @CONTROL["PREY OBS variance"] -> @"PREY OBS"["variance"] multiply
    cog.grid_search @CONTROL after minimize @OBJECTIVE["outcome"] ties first {
      cog.signal @"PLAYER OBS variance" levels [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 3.0, 3.1, 3.2, 3.3, 3.4, 3.5, 3.6, 3.7, 3.8, 3.9, 4.0, 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 5.0, 5.1, 5.2, 5.3, 5.4, 5.5, 5.6, 5.7, 5.8, 5.9, 6.0, 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.8, 6.9, 7.0, 7.1, 7.2, 7.3, 7.4, 7.5, 7.6, 7.7, 7.8, 7.9, 8.0, 8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 8.9, 9.0, 9.1, 9.2, 9.3, 9.4, 9.5, 9.6, 9.7, 9.8, 9.9, 10.0] initial 1.0 cost intensity @intensity_cost
      cog.signal @"PREDATOR OBS variance" levels [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 3.0, 3.1, 3.2, 3.3, 3.4, 3.5, 3.6, 3.7, 3.8, 3.9, 4.0, 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 5.0, 5.1, 5.2, 5.3, 5.4, 5.5, 5.6, 5.7, 5.8, 5.9, 6.0, 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.8, 6.9, 7.0, 7.1, 7.2, 7.3, 7.4, 7.5, 7.6, 7.7, 7.8, 7.9, 8.0, 8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 8.9, 9.0, 9.1, 9.2, 9.3, 9.4, 9.5, 9.6, 9.7, 9.8, 9.9, 10.0] initial 1.0 cost intensity @intensity_cost
      cog.signal @"PREY OBS variance" levels [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 3.0, 3.1, 3.2, 3.3, 3.4, 3.5, 3.6, 3.7, 3.8, 3.9, 4.0, 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 5.0, 5.1, 5.2, 5.3, 5.4, 5.5, 5.6, 5.7, 5.8, 5.9, 6.0, 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.8, 6.9, 7.0, 7.1, 7.2, 7.3, 7.4, 7.5, 7.6, 7.7, 7.8, 7.9, 8.0, 8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 8.9, 9.0, 9.1, 9.2, 9.3, 9.4, 9.5, 9.6, 9.7, 9.8, 9.9, 10.0] initial 1.0 cost intensity @intensity_cost
    }
  }
  func.func private @gaussian_distort(%variable: tensor<2xf64>, %variance: f64, %bias: f64, %scale: f64, %offset: f64, %random: !rng.state<mt19937>) -> (tensor<2xf64>, !rng.state<mt19937>) {
    %draw, %0 = rng.normal %random : !rng.state<mt19937> -> tensor<2xf64>
    %1 = tensor.empty() : tensor<2xf64>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable, %draw : tensor<2xf64>, tensor<2xf64>) outs(%1 : tensor<2xf64>) {
    ^bb0(%3: f64, %4: f64, %5: f64):
      %6 = arith.addf %3, %bias : f64
      %7 = arith.mulf %variance, %4 : f64
      %8 = arith.addf %6, %7 : f64
      %9 = arith.mulf %scale, %8 : f64
      %10 = arith.addf %9, %offset : f64
      linalg.yield %10 : f64
    } -> tensor<2xf64>
    func.return %2, %0 : tensor<2xf64>, !rng.state<mt19937>
  }
  func.func private @length(%vector: tensor<2xf64>) -> f64 {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %2 = tensor.extract %vector[%0] : tensor<2xf64>
    %3 = tensor.extract %vector[%0] : tensor<2xf64>
    %4 = arith.mulf %2, %3 : f64
    %5 = tensor.extract %vector[%1] : tensor<2xf64>
    %6 = tensor.extract %vector[%1] : tensor<2xf64>
    %7 = arith.mulf %5, %6 : f64
    %8 = arith.addf %4, %7 : f64
    %9 = math.sqrt %8 : f64
    func.return %9 : f64
  }
  func.func private @move(%predator: tensor<2xf64>, %player: tensor<2xf64>, %prey: tensor<2xf64>) -> tensor<2xf64> {
    %0 = tensor.empty() : tensor<2xf64>
    %flight = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%player, %predator : tensor<2xf64>, tensor<2xf64>) outs(%0 : tensor<2xf64>) {
    ^bb0(%1: f64, %2: f64, %3: f64):
      %4 = arith.subf %1, %2 : f64
      linalg.yield %4 : f64
    } -> tensor<2xf64>
    %5 = tensor.empty() : tensor<2xf64>
    %chase = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%prey, %player : tensor<2xf64>, tensor<2xf64>) outs(%5 : tensor<2xf64>) {
    ^bb0(%6: f64, %7: f64, %8: f64):
      %9 = arith.subf %6, %7 : f64
      linalg.yield %9 : f64
    } -> tensor<2xf64>
    %far = func.call @length(%flight) : (tensor<2xf64>) -> f64
    %near = func.call @length(%chase) : (tensor<2xf64>) -> f64
    %10 = arith.addf %far, %near : f64
    %11 = arith.divf %near, %10 : f64
    %12 = arith.addf %far, %near : f64
    %13 = arith.divf %far, %12 : f64
    %14 = tensor.empty() : tensor<2xf64>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%flight, %chase : tensor<2xf64>, tensor<2xf64>) outs(%14 : tensor<2xf64>) {
    ^bb0(%16: f64, %17: f64, %18: f64):
      %19 = arith.divf %16, %far : f64
      %20 = arith.mulf %19, %11 : f64
      %21 = arith.divf %17, %near : f64
      %22 = arith.mulf %21, %13 : f64
      %23 = arith.addf %20, %22 : f64
      linalg.yield %23 : f64
    } -> tensor<2xf64>
    func.return %15 : tensor<2xf64>
  }
  func.func private @comparator(%sample: tensor<2xf64>, %target: tensor<2xf64>, %scale: f64, %offset: f64) -> tensor<2xf64> {
    %0 = tensor.empty() : tensor<2xf64>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%target, %sample : tensor<2xf64>, tensor<2xf64>) outs(%0 : tensor<2xf64>) {
    ^bb0(%2: f64, %3: f64, %4: f64):
      %5 = arith.subf %2, %3 : f64
      %6 = arith.mulf %scale, %5 : f64
      %7 = arith.addf %6, %offset : f64
      linalg.yield %7 : f64
    } -> tensor<2xf64>
    func.return %1 : tensor<2xf64>
  }
  func.func private @distance(%first: tensor<2xf64>, %second: tensor<2xf64>) -> f64 {
    %0 = arith.constant dense<0.000000e+00> : tensor<f64>
    %1 = arith.constant 4.000000e+00 : f64
    %2 = arith.constant 1.000000e+00 : f64
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%first, %second : tensor<2xf64>, tensor<2xf64>) outs(%0 : tensor<f64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.subf %4, %5 : f64
      %8 = math.absf %7 : f64
      %9 = arith.addf %6, %8 : f64
      linalg.yield %9 : f64
    } -> tensor<f64>
    %10 = tensor.extract %3[] : tensor<f64>
    %11 = arith.divf %10, %1 : f64
    %result = arith.subf %2, %11 : f64
    func.return %result : f64
  }
  func.func private @agreement(%action: tensor<2xf64>, %direct: tensor<2xf64>) -> f64 {
    %0 = func.call @distance(%action, %direct) : (tensor<2xf64>, tensor<2xf64>) -> f64
    func.return %0 : f64
  }
  func.func private @cast(%val: f64) -> f64 {
    func.return %val : f64
  }
  func.func private @intensity_cost(%intensity: f64) -> f64 {
    %0 = math.exp %intensity : f64
    %1 = func.call @cast(%0) : (f64) -> f64
    func.return %1 : f64
  }
  rng.stream @PLAYER_OBS_stream mt19937 seed 0
  rng.stream @PREY_OBS_stream mt19937 seed 1
  rng.stream @PREDATOR_OBS_stream mt19937 seed 2
}

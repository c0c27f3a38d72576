builtin.module {
  cog.model @lca {
    cog.node @IN (%variable: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
      cog.yield %variable
    }
    cog.node @LCA (%variable: tensor<3xf64>)
        params (%leak: f64 = 0.5 in [0.0, inf], %noise: f64 = 0.3 in [0.0, inf], %time_step_size: f64 = 0.1 in [0.0, inf], %gain: f64 = 1.0, %bias: f64 = 0.0, %x "x_0": f64 = 0.0, %threshold: f64 = 0.75 in [0.0, inf])
        states (%previous_value: tensor<3xf64> = dense<0.0>, %steps: f64 = 0.0)
        random (%random: !rng.state<mt19937> = @LCA_stream)
        -> (result: tensor<3xf64> = dense<0.5>, steps: f64 = 0.0) until_finished max 9223372036854775807 {
      %0, %1, %2, %3, %4, %5 = func.call @leaky_competing_accumulator(%variable, %leak, %noise, %time_step_size, %gain, %bias, %x, %threshold, %previous_value, %steps, %random) : (tensor<3xf64>, f64, f64, f64, f64, f64, f64, f64, tensor<3xf64>, f64, !rng.state<mt19937>) -> (tensor<3xf64>, f64, tensor<3xf64>, f64, !rng.state<mt19937>, i1)
      cog.yield %0, %1 states(%2, %3) random(%4) finished(%5)
    }
    cog.input @IN["variable"]
    cog.output @LCA["result"]
    cog.project @IN["value"] -> @LCA["variable"]
    cog.project @LCA["result"] -> @LCA["variable"] matrix dense<[[0.1, -0.3, -0.3], [-0.3, 0.1, -0.3], [-0.3, -0.3, 0.1]]> : tensor<3x3xf64> recurrent
    cog.schedule {
      cog.reset @LCA when {
        %0 = cog.at_trial_start
        cog.condition %0
      }
    }
  }
  func.func private @logistic(%variable: tensor<3xf64>, %gain: f64, %bias: f64, %x: f64, %scale: f64, %offset: f64) -> tensor<3xf64> {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = arith.negf %gain : f64
    %2 = tensor.empty() : tensor<3xf64>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable : tensor<3xf64>) outs(%2 : tensor<3xf64>) {
    ^bb0(%4: f64, %5: f64):
      %6 = arith.addf %4, %bias : f64
      %7 = arith.subf %6, %x : f64
      %8 = arith.mulf %1, %7 : f64
      %9 = math.exp %8 : f64
      %10 = arith.addf %0, %9 : f64
      %11 = arith.divf %0, %10 : f64
      %12 = arith.mulf %scale, %11 : f64
      %13 = arith.addf %12, %offset : f64
      linalg.yield %13 : f64
    } -> tensor<3xf64>
    func.return %3 : tensor<3xf64>
  }
  func.func private @leaky_competing_accumulator(%variable: tensor<3xf64>, %leak: f64, %noise: f64, %time_step_size: f64, %gain: f64, %bias: f64, %x: f64, %threshold: f64, %previous_value: tensor<3xf64>, %steps: f64, %random: !rng.state<mt19937>) -> (tensor<3xf64>, f64, tensor<3xf64>, f64, !rng.state<mt19937>, i1) {
    %0 = arith.constant 0.000000e+00 : f64
    %1 = arith.constant 1.000000e+00 : f64
    %2 = arith.constant dense<0xfff0000000000000> : tensor<f64>
    %3, %4 = rng.normal %random : !rng.state<mt19937> -> tensor<3xf64>
    %5 = arith.negf %leak : f64
    %6 = math.sqrt %time_step_size : f64
    %7 = tensor.empty() : tensor<3xf64>
    %value = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%previous_value, %variable, %3 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) outs(%7 : tensor<3xf64>) {
    ^bb0(%8: f64, %9: f64, %10: f64, %11: f64):
      %12 = arith.mulf %5, %8 : f64
      %13 = arith.addf %12, %9 : f64
      %14 = arith.mulf %13, %time_step_size : f64
      %15 = arith.addf %8, %14 : f64
      %16 = arith.mulf %noise, %10 : f64
      %17 = arith.addf %0, %16 : f64
      %18 = arith.mulf %17, %6 : f64
      %19 = arith.addf %15, %18 : f64
      linalg.yield %19 : f64
    } -> tensor<3xf64>
    %result = func.call @logistic(%value, %gain, %bias, %x, %1, %0) : (tensor<3xf64>, f64, f64, f64, f64, f64) -> tensor<3xf64>
    %20 = arith.addf %steps, %1 : f64
    %21 = arith.addf %steps, %1 : f64
    %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%result : tensor<3xf64>) outs(%2 : tensor<f64>) {
    ^bb0(%23: f64, %24: f64):
      %25 = arith.maximumf %24, %23 : f64
      linalg.yield %25 : f64
    } -> tensor<f64>
    %26 = tensor.extract %22[] : tensor<f64>
    %27 = arith.cmpf oge, %26, %threshold : f64
    func.return %result, %20, %value, %21, %4, %27 : tensor<3xf64>, f64, tensor<3xf64>, f64, !rng.state<mt19937>, i1
  }
  rng.stream @LCA_stream mt19937 seed 0
}

builtin.module {
  cog.model @ddm_integrator {
    cog.node @DDM (%variable: tensor<1xf64>)
        params (%rate: f64 = 1.0, %noise: f64 = 1.0 in [0.0, inf], %offset: f64 = 0.0, %threshold: f64 = 1.0 in [0.0, inf], %time_step_size: f64 = 0.01 in [0.0, inf])
        states (%previous_value: tensor<1xf64> = dense<0.0>, %previous_time: f64 = 0.0)
        random (%random: !rng.state<mt19937> = @DDM_stream)
        -> (value: tensor<1xf64> = dense<0.0>, time: f64 = 0.0) until_finished max 9223372036854775807 {
      %0, %1, %2, %3, %4, %5 = func.call @drift_diffusion_integrator(%variable, %rate, %noise, %offset, %threshold, %time_step_size, %previous_value, %previous_time, %random) : (tensor<1xf64>, f64, f64, f64, f64, f64, tensor<1xf64>, f64, !rng.state<mt19937>) -> (tensor<1xf64>, f64, tensor<1xf64>, f64, !rng.state<mt19937>, i1)
      cog.yield %0, %1 states(%2, %3) random(%4) finished(%5)
    }
    cog.input @DDM["variable"]
    cog.output @DDM["value"]
    cog.output @DDM["time"]
    cog.schedule {
      cog.reset @DDM when {
        %0 = cog.at_trial_start
        cog.condition %0
      }
    }
  }
  func.func private @drift_diffusion_integrator(%variable: tensor<1xf64>, %rate: f64, %noise: f64, %offset: f64, %threshold: f64, %time_step_size: f64, %previous_value: tensor<1xf64>, %previous_time: f64, %random: !rng.state<mt19937>) -> (tensor<1xf64>, f64, tensor<1xf64>, f64, !rng.state<mt19937>, i1) {
    %0 = arith.constant 0 : index
    %draw, %1 = rng.normal %random : !rng.state<mt19937> -> tensor<1xf64>
    %2 = math.sqrt %time_step_size : f64
    %3 = arith.mulf %noise, %2 : f64
    %4 = tensor.empty() : tensor<1xf64>
    %value = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%previous_value, %variable, %draw : tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) outs(%4 : tensor<1xf64>) {
    ^bb0(%5: f64, %6: f64, %7: f64, %8: f64):
      %9 = arith.mulf %rate, %6 : f64
      %10 = arith.mulf %9, %time_step_size : f64
      %11 = arith.addf %5, %10 : f64
      %12 = arith.mulf %3, %7 : f64
      %13 = arith.addf %11, %12 : f64
      linalg.yield %13 : f64
    } -> tensor<1xf64>
    %14 = arith.negf %threshold : f64
    %15 = tensor.empty() : tensor<1xf64>
    %value_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%value : tensor<1xf64>) outs(%15 : tensor<1xf64>) {
    ^bb0(%16: f64, %17: f64):
      %18 = arith.addf %16, %offset : f64
      %19 = arith.maximumf %18, %14 {cog.clip} : f64
      %20 = arith.minimumf %19, %threshold {cog.clip} : f64
      linalg.yield %20 : f64
    } -> tensor<1xf64>
    %time = arith.addf %previous_time, %time_step_size : f64
    %21 = tensor.extract %value_1[%0] : tensor<1xf64>
    %22 = math.absf %21 : f64
    %23 = arith.cmpf oge, %22, %threshold : f64
    func.return %value_1, %time, %value_1, %time, %1, %23 : tensor<1xf64>, f64, tensor<1xf64>, f64, !rng.state<mt19937>, i1
  }
  rng.stream @DDM_stream mt19937 seed 0
}

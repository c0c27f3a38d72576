builtin.module {
  cog.model @necker_vectorised {
    cog.node @node3 (%variable: tensor<16xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<16xf64> = dense<0.0>)
        -> (value: tensor<16xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<16xf64>, f64, f64, f64, f64, tensor<16xf64>) -> (tensor<16xf64>, tensor<16xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @node4 (%variable: tensor<16xf64>)
        params (%integration_rate: f64 = 0.5, %noise: f64 = 0.0, %slope: f64 = 1.0, %intercept: f64 = 0.0)
        states (%previous_value: tensor<16xf64> = dense<0.0>)
        -> (value: tensor<16xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_linear(%variable, %integration_rate, %noise, %slope, %intercept, %previous_value) : (tensor<16xf64>, f64, f64, f64, f64, tensor<16xf64>) -> (tensor<16xf64>, tensor<16xf64>)
      cog.yield %0 states(%1)
    }
    cog.input @node3["variable"]
    cog.input @node4["variable"]
    cog.output @node3["value"]
    cog.output @node4["value"]
    cog.project @node3["value"] -> @node4["variable"] matrix dense<[[0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0], [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0], [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0], [1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0], [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0], [-2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], [-0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0], [-0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0], [-0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], [-0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0], [-0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0], [-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0], [-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0]]> : tensor<16x16xf64>
    cog.project @node4["value"] -> @node3["variable"] matrix dense<[[0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0], [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0], [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0], [1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0], [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0], [-2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], [-0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0], [-0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0], [-0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, -0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], [-0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, -0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0], [-0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, -0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0], [-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, -0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0], [-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -2.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0]]> : tensor<16x16xf64>
  }
  func.func private @linear(%variable: tensor<16xf64>, %slope: f64, %intercept: f64, %scale: f64, %offset: f64) -> tensor<16xf64> {
    %0 = tensor.empty() : tensor<16xf64>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable : tensor<16xf64>) outs(%0 : tensor<16xf64>) {
    ^bb0(%2: f64, %3: f64):
      %4 = arith.mulf %2, %slope : f64
      %5 = arith.addf %4, %intercept : f64
      %6 = arith.mulf %scale, %5 : f64
      %7 = arith.addf %6, %offset : f64
      linalg.yield %7 : f64
    } -> tensor<16xf64>
    func.return %1 : tensor<16xf64>
  }
  func.func private @integrated_linear(%variable: tensor<16xf64>, %integration_rate: f64, %noise: f64, %slope: f64, %intercept: f64, %previous_value: tensor<16xf64>) -> (tensor<16xf64>, tensor<16xf64>) {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = arith.constant 0.000000e+00 : f64
    %2 = arith.subf %0, %integration_rate : f64
    %3 = tensor.empty() : tensor<16xf64>
    %value = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%previous_value, %variable : tensor<16xf64>, tensor<16xf64>) outs(%3 : tensor<16xf64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.mulf %2, %4 : f64
      %8 = arith.mulf %integration_rate, %5 : f64
      %9 = arith.addf %7, %8 : f64
      %10 = arith.addf %9, %noise : f64
      linalg.yield %10 : f64
    } -> tensor<16xf64>
    %11 = func.call @linear(%value, %slope, %intercept, %0, %1) : (tensor<16xf64>, f64, f64, f64, f64) -> tensor<16xf64>
    func.return %11, %value : tensor<16xf64>, tensor<16xf64>
  }
}

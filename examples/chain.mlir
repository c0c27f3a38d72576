builtin.module {
  cog.model @chain {
    cog.node @A (%variable: tensor<2xf64>)
        params (%slope: f64 = 2.0, %intercept: f64 = 0.5, %scale: f64 = 1.0, %offset: f64 = 0.0)
        -> (value: tensor<2xf64> = dense<0.0>) {
      %0 = func.call @linear(%variable, %slope, %intercept, %scale, %offset) : (tensor<2xf64>, f64, f64, f64, f64) -> tensor<2xf64>
      cog.yield %0
    }
    cog.node @B (%variable: tensor<3xf64>)
        params (%integration_rate: f64 = 0.3, %noise: f64 = 0.0, %gain: f64 = 0.7, %bias: f64 = 0.0, %x "x_0": f64 = 0.0)
        states (%previous_value: tensor<3xf64> = dense<0.0>)
        -> (value: tensor<3xf64> = dense<0.0>) {
      %0, %1 = func.call @integrated_logistic(%variable, %integration_rate, %noise, %gain, %bias, %x, %previous_value) : (tensor<3xf64>, f64, f64, f64, f64, f64, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @R (%variable: tensor<3xf64>)
        params (%gain: f64 = 1.0, %bias: f64 = 0.0, %x "x_0": f64 = 0.0, %scale: f64 = 1.0, %offset: f64 = 0.0)
        -> (value: tensor<3xf64> = dense<0.0>) {
      %0 = func.call @tanh(%variable, %gain, %bias, %x, %scale, %offset) : (tensor<3xf64>, f64, f64, f64, f64, f64) -> tensor<3xf64>
      cog.yield %0
    }
    cog.node @O (%variable: tensor<2xf64>)
        params (%gain: f64 = 1.0)
        -> (value: tensor<2xf64> = dense<0.0>) {
      %0 = func.call @softmax(%variable, %gain) : (tensor<2xf64>, f64) -> tensor<2xf64>
      cog.yield %0
    }
    cog.input @A["variable"]
    cog.output @O["value"]
    cog.project @A["value"] -> @B["variable"] matrix dense<[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]> : tensor<2x3xf64>
    cog.project @B["value"] -> @R["variable"] matrix dense<[[1.0, 0.2, 0.1], [0.3, 1.0, 0.2], [0.1, 0.1, 1.0]]> : tensor<3x3xf64>
    cog.project @R["value"] -> @R["variable"] matrix dense<[[0.2, -0.1, -0.1], [-0.1, 0.2, -0.1], [-0.1, -0.1, 0.2]]> : tensor<3x3xf64> recurrent
    cog.project @R["value"] -> @O["variable"] matrix dense<[[1.0, -1.0], [-0.5, 0.5], [0.25, -0.75]]> : tensor<3x2xf64>
  }
  func.func private @linear(%variable: tensor<2xf64>, %slope: f64, %intercept: f64, %scale: f64, %offset: f64) -> tensor<2xf64> {
    %0 = tensor.empty() : tensor<2xf64>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable : tensor<2xf64>) outs(%0 : tensor<2xf64>) {
    ^bb0(%2: f64, %3: f64):
      %4 = arith.mulf %2, %slope : f64
      %5 = arith.addf %4, %intercept : f64
      %6 = arith.mulf %scale, %5 : f64
      %7 = arith.addf %6, %offset : f64
      linalg.yield %7 : f64
    } -> tensor<2xf64>
    func.return %1 : tensor<2xf64>
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
  func.func private @integrated_logistic(%variable: tensor<3xf64>, %integration_rate: f64, %noise: f64, %gain: f64, %bias: f64, %x: f64, %previous_value: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = arith.constant 0.000000e+00 : f64
    %2 = arith.subf %0, %integration_rate : f64
    %3 = tensor.empty() : tensor<3xf64>
    %value = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%previous_value, %variable : tensor<3xf64>, tensor<3xf64>) outs(%3 : tensor<3xf64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.mulf %2, %4 : f64
      %8 = arith.mulf %integration_rate, %5 : f64
      %9 = arith.addf %7, %8 : f64
      %10 = arith.addf %9, %noise : f64
      linalg.yield %10 : f64
    } -> tensor<3xf64>
    %11 = func.call @logistic(%value, %gain, %bias, %x, %0, %1) : (tensor<3xf64>, f64, f64, f64, f64, f64) -> tensor<3xf64>
    func.return %11, %value : tensor<3xf64>, tensor<3xf64>
  }
  func.func private @tanh(%variable: tensor<3xf64>, %gain: f64, %bias: f64, %x: f64, %scale: f64, %offset: f64) -> tensor<3xf64> {
    %0 = arith.constant -2.000000e+00 : f64
    %1 = arith.constant 1.000000e+00 : f64
    %2 = tensor.empty() : tensor<3xf64>
    %power = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable : tensor<3xf64>) outs(%2 : tensor<3xf64>) {
    ^bb0(%3: f64, %4: f64):
      %5 = arith.addf %3, %bias : f64
      %6 = arith.subf %5, %x : f64
      %7 = arith.mulf %gain, %6 : f64
      %8 = arith.addf %7, %offset : f64
      %9 = arith.mulf %0, %8 : f64
      %10 = math.exp %9 : f64
      linalg.yield %10 : f64
    } -> tensor<3xf64>
    %11 = tensor.empty() : tensor<3xf64>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%power : tensor<3xf64>) outs(%11 : tensor<3xf64>) {
    ^bb0(%13: f64, %14: f64):
      %15 = arith.subf %1, %13 : f64
      %16 = arith.mulf %scale, %15 : f64
      %17 = arith.addf %1, %13 : f64
      %18 = arith.divf %16, %17 : f64
      linalg.yield %18 : f64
    } -> tensor<3xf64>
    func.return %12 : tensor<3xf64>
  }
  func.func private @softmax(%variable: tensor<2xf64>, %gain: f64) -> tensor<2xf64> {
    %0 = arith.constant dense<0xfff0000000000000> : tensor<f64>
    %1 = arith.constant dense<0.000000e+00> : tensor<f64>
    %2 = tensor.empty() : tensor<2xf64>
    %shifted = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable : tensor<2xf64>) outs(%2 : tensor<2xf64>) {
    ^bb0(%3: f64, %4: f64):
      %5 = arith.mulf %gain, %3 : f64
      linalg.yield %5 : f64
    } -> tensor<2xf64>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%shifted : tensor<2xf64>) outs(%0 : tensor<f64>) {
    ^bb0(%7: f64, %8: f64):
      %9 = arith.maximumf %8, %7 : f64
      linalg.yield %9 : f64
    } -> tensor<f64>
    %10 = tensor.extract %6[] : tensor<f64>
    %11 = tensor.empty() : tensor<2xf64>
    %weights = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%shifted : tensor<2xf64>) outs(%11 : tensor<2xf64>) {
    ^bb0(%12: f64, %13: f64):
      %14 = arith.subf %12, %10 : f64
      %15 = math.exp %14 : f64
      linalg.yield %15 : f64
    } -> tensor<2xf64>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%weights : tensor<2xf64>) outs(%1 : tensor<f64>) {
    ^bb0(%17: f64, %18: f64):
      %19 = arith.addf %18, %17 : f64
      linalg.yield %19 : f64
    } -> tensor<f64>
    %20 = tensor.extract %16[] : tensor<f64>
    %21 = tensor.empty() : tensor<2xf64>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%weights : tensor<2xf64>) outs(%21 : tensor<2xf64>) {
    ^bb0(%23: f64, %24: f64):
      %25 = arith.divf %23, %20 : f64
      linalg.yield %25 : f64
    } -> tensor<2xf64>
    func.return %22 : tensor<2xf64>
  }
}

builtin.module {
  cog.model @extended_stroop_a {
    cog.node @COLORS_INPUT (%variable: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
      cog.yield %variable
    }
    cog.node @WORDS_INPUT (%variable: tensor<3xf64>) -> (value: tensor<3xf64> = dense<0.0>) {
      cog.yield %variable
    }
    cog.node @TASK_INPUT (%variable: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) {
      cog.yield %variable
    }
    cog.node @COLORS_HIDDEN (%variable: tensor<3xf64>)
        params (%integration_rate: f64 = 0.01, %noise: f64 = 0.0, %gain: f64 = 1.0, %bias: f64 = 0.0, %x "x_0": f64 = 4.0)
        states (%previous_value: tensor<3xf64> = dense<0.0>)
        -> (value: tensor<3xf64> = dense<0.017986209962091562>) {
      %0, %1 = func.call @integrated_logistic(%variable, %integration_rate, %noise, %gain, %bias, %x, %previous_value) : (tensor<3xf64>, f64, f64, f64, f64, f64, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @WORDS_HIDDEN (%variable: tensor<3xf64>)
        params (%integration_rate: f64 = 0.01, %noise: f64 = 0.0, %gain: f64 = 1.0, %bias: f64 = 0.0, %x "x_0": f64 = 4.0)
        states (%previous_value: tensor<3xf64> = dense<0.0>)
        -> (value: tensor<3xf64> = dense<0.017986209962091562>) {
      %0, %1 = func.call @integrated_logistic(%variable, %integration_rate, %noise, %gain, %bias, %x, %previous_value) : (tensor<3xf64>, f64, f64, f64, f64, f64, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @TASK_LAYER (%variable: tensor<2xf64>)
        params (%integration_rate: f64 = 0.01, %noise: f64 = 0.0, %gain: f64 = 1.0, %bias: f64 = 0.0, %x "x_0": f64 = 0.0)
        states (%previous_value: tensor<2xf64> = dense<0.0>)
        -> (value: tensor<2xf64> = dense<0.5>) {
      %0, %1 = func.call @integrated_logistic_1(%variable, %integration_rate, %noise, %gain, %bias, %x, %previous_value) : (tensor<2xf64>, f64, f64, f64, f64, f64, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
      cog.yield %0 states(%1)
    }
    cog.node @RESPONSE (%variable: tensor<2xf64>)
        params (%integration_rate: f64 = 0.01, %inhibition: tensor<2x2xf64> = dense<[[-0.0, -4.0], [-4.0, -0.0]]>)
        states (%previous_value: tensor<2xf64> = dense<0.0>)
        -> (result: tensor<2xf64> = dense<0.5>, decision_energy: f64 = 1.0) {
      %0, %1, %2 = func.call @response_layer(%variable, %integration_rate, %inhibition, %previous_value) : (tensor<2xf64>, f64, tensor<2x2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64, tensor<2xf64>)
      cog.yield %0, %1 states(%2)
    }
    cog.node @DDM_COLOR (%variable: tensor<1xf64>)
        params (%drift_rate: f64 = 0.3, %threshold: f64 = 0.1654 in (0.0, inf], %starting_value: f64 = 0.0, %noise: f64 = 0.5 in [0.0, inf], %non_decision_time: f64 = 0.2 in [0.0, inf])
        random (%random: !rng.state<mt19937> = @DDM_COLOR_stream)
        -> (decision: f64 = 0.0, response_time: f64 = 0.0, probability_upper: f64 = 0.0, probability_lower: f64 = 0.0, correct_mean: f64 = 0.0, correct_variance: f64 = 0.0, correct_skew: f64 = 0.0, incorrect_mean: f64 = 0.0, incorrect_variance: f64 = 0.0, incorrect_skew: f64 = 0.0) {
      %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 = func.call @drift_diffusion_analytical(%variable, %drift_rate, %threshold, %starting_value, %noise, %non_decision_time, %random) : (tensor<1xf64>, f64, f64, f64, f64, f64, !rng.state<mt19937>) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, !rng.state<mt19937>)
      cog.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 random(%10)
    }
    cog.node @DDM_POINT (%variable: tensor<1xf64>)
        params (%drift_rate: f64 = 0.3, %threshold: f64 = 0.1654 in (0.0, inf], %starting_value: f64 = 0.0, %noise: f64 = 0.5 in [0.0, inf], %non_decision_time: f64 = 0.2 in [0.0, inf])
        random (%random: !rng.state<mt19937> = @DDM_POINT_stream)
        -> (decision: f64 = 0.0, response_time: f64 = 0.0, probability_upper: f64 = 0.0, probability_lower: f64 = 0.0, correct_mean: f64 = 0.0, correct_variance: f64 = 0.0, correct_skew: f64 = 0.0, incorrect_mean: f64 = 0.0, incorrect_variance: f64 = 0.0, incorrect_skew: f64 = 0.0) {
      %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 = func.call @drift_diffusion_analytical(%variable, %drift_rate, %threshold, %starting_value, %noise, %non_decision_time, %random) : (tensor<1xf64>, f64, f64, f64, f64, f64, !rng.state<mt19937>) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, !rng.state<mt19937>)
      cog.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 random(%10)
    }
    cog.node @EVID_COLOR (%activity: tensor<2xf64>) -> (value: tensor<1xf64> = dense<0.0>) {
      %0 = func.call @color_evidence(%activity) : (tensor<2xf64>) -> tensor<1xf64>
      cog.yield %0
    }
    cog.node @EVID_POINT (%activity: tensor<2xf64>) -> (value: tensor<1xf64> = dense<0.0>) {
      %0 = func.call @pointing_evidence(%activity) : (tensor<2xf64>) -> tensor<1xf64>
      cog.yield %0
    }
    cog.node @REWARD (%color: tensor<1xf64>, %pointing: tensor<1xf64>) -> (value: tensor<1xf64> = dense<0.0>) {
      %0 = func.call @reward(%color, %pointing) : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
      cog.yield %0
    }
    cog.input @COLORS_INPUT["variable"]
    cog.input @WORDS_INPUT["variable"]
    cog.input @TASK_INPUT["variable"]
    cog.output @REWARD["value"]
    cog.project @TASK_INPUT["value"] -> @TASK_LAYER["variable"]
    cog.project @COLORS_INPUT["value"] -> @COLORS_HIDDEN["variable"]
    cog.project @WORDS_INPUT["value"] -> @WORDS_HIDDEN["variable"]
    cog.project @COLORS_HIDDEN["value"] -> @RESPONSE["variable"] matrix dense<[[1.5, 0.0], [0.0, 1.5], [0.0, 0.0]]> : tensor<3x2xf64>
    cog.project @RESPONSE["result"] -> @COLORS_HIDDEN["variable"] matrix dense<[[1.5, 0.0, 0.0], [0.0, 1.5, 0.0]]> : tensor<2x3xf64>
    cog.project @WORDS_HIDDEN["value"] -> @RESPONSE["variable"] matrix dense<[[2.5, 0.0], [0.0, 2.5], [0.0, 0.0]]> : tensor<3x2xf64>
    cog.project @RESPONSE["result"] -> @WORDS_HIDDEN["variable"] matrix dense<[[2.5, 0.0, 0.0], [0.0, 2.5, 0.0]]> : tensor<2x3xf64>
    cog.project @TASK_LAYER["value"] -> @COLORS_HIDDEN["variable"] matrix dense<[[4.0, 4.0, 4.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf64>
    cog.project @COLORS_HIDDEN["value"] -> @TASK_LAYER["variable"] matrix dense<[[4.0, 0.0], [4.0, 0.0], [4.0, 0.0]]> : tensor<3x2xf64>
    cog.project @TASK_LAYER["value"] -> @WORDS_HIDDEN["variable"] matrix dense<[[0.0, 0.0, 0.0], [4.0, 4.0, 4.0]]> : tensor<2x3xf64>
    cog.project @WORDS_HIDDEN["value"] -> @TASK_LAYER["variable"] matrix dense<[[0.0, 4.0], [0.0, 4.0], [0.0, 4.0]]> : tensor<3x2xf64>
    cog.project @COLORS_HIDDEN["value"] -> @COLORS_HIDDEN["variable"] matrix dense<[[-0.0, -2.0, -2.0], [-2.0, -0.0, -2.0], [-2.0, -2.0, -0.0]]> : tensor<3x3xf64> recurrent
    cog.project @WORDS_HIDDEN["value"] -> @WORDS_HIDDEN["variable"] matrix dense<[[-0.0, -2.0, -2.0], [-2.0, -0.0, -2.0], [-2.0, -2.0, -0.0]]> : tensor<3x3xf64> recurrent
    cog.project @TASK_LAYER["value"] -> @TASK_LAYER["variable"] matrix dense<[[-0.0, -2.0], [-2.0, -0.0]]> : tensor<2x2xf64> recurrent
    cog.project @RESPONSE["result"] -> @RESPONSE["variable"] matrix dense<[[-0.0, -2.0], [-2.0, -0.0]]> : tensor<2x2xf64> recurrent
    cog.project @RESPONSE["result"] -> @EVID_COLOR["activity"]
    cog.project @RESPONSE["result"] -> @EVID_POINT["activity"]
    cog.project @EVID_COLOR["value"] -> @DDM_COLOR["variable"]
    cog.project @EVID_POINT["value"] -> @DDM_POINT["variable"]
    cog.project @DDM_COLOR["probability_upper"] -> @REWARD["color"] matrix dense<1.0> : tensor<1x1xf64>
    cog.project @DDM_POINT["probability_upper"] -> @REWARD["pointing"] matrix dense<1.0> : tensor<1x1xf64>
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
  func.func private @logistic_1(%variable: tensor<2xf64>, %gain: f64, %bias: f64, %x: f64, %scale: f64, %offset: f64) -> tensor<2xf64> {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = arith.negf %gain : f64
    %2 = tensor.empty() : tensor<2xf64>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%variable : tensor<2xf64>) outs(%2 : tensor<2xf64>) {
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
    } -> tensor<2xf64>
    func.return %3 : tensor<2xf64>
  }
  func.func private @integrated_logistic_1(%variable: tensor<2xf64>, %integration_rate: f64, %noise: f64, %gain: f64, %bias: f64, %x: f64, %previous_value: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = arith.constant 0.000000e+00 : f64
    %2 = arith.subf %0, %integration_rate : f64
    %3 = tensor.empty() : tensor<2xf64>
    %value = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%previous_value, %variable : tensor<2xf64>, tensor<2xf64>) outs(%3 : tensor<2xf64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.mulf %2, %4 : f64
      %8 = arith.mulf %integration_rate, %5 : f64
      %9 = arith.addf %7, %8 : f64
      %10 = arith.addf %9, %noise : f64
      linalg.yield %10 : f64
    } -> tensor<2xf64>
    %11 = func.call @logistic_1(%value, %gain, %bias, %x, %0, %1) : (tensor<2xf64>, f64, f64, f64, f64, f64) -> tensor<2xf64>
    func.return %11, %value : tensor<2xf64>, tensor<2xf64>
  }
  func.func private @distance(%first: tensor<2xf64>, %second: tensor<2xf64>) -> f64 {
    %0 = arith.constant dense<0.000000e+00> : tensor<f64>
    %1 = arith.constant 2.000000e+00 : f64
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%first, %second : tensor<2xf64>, tensor<2xf64>) outs(%0 : tensor<f64>) {
    ^bb0(%3: f64, %4: f64, %5: f64):
      %6 = arith.mulf %3, %4 : f64
      %7 = arith.addf %5, %6 : f64
      linalg.yield %7 : f64
    } -> tensor<f64>
    %8 = tensor.extract %2[] : tensor<f64>
    %9 = arith.negf %8 : f64
    %energy = arith.divf %9, %1 : f64
    func.return %energy : f64
  }
  func.func private @stability(%variable: tensor<2xf64>, %matrix: tensor<2x2xf64>) -> f64 {
    %transformed = arith.constant dense<0.000000e+00> : tensor<2xf64>
    %0 = arith.constant 0 : index
    %1 = arith.constant 2 : index
    %2 = arith.constant 1 : index
    %3 = arith.constant 0.000000e+00 : f64
    %4 = scf.for %i = %0 to %1 step %2 iter_args(%5 = %transformed) -> (tensor<2xf64>) {
      %i_1 = arith.index_cast %i : index to i64
      %6 = scf.for %i_2 = %0 to %1 step %2 iter_args(%total = %3) -> (f64) {
        %j = arith.index_cast %i_2 : index to i64
        %7 = arith.cmpi ne, %i_1, %j : i64
        %8 = scf.if %7 -> (f64) {
          %9 = tensor.extract %matrix[%i, %i_2] : tensor<2x2xf64>
          %10 = tensor.extract %variable[%i_2] : tensor<2xf64>
          %11 = arith.mulf %9, %10 : f64
          %total_1 = arith.addf %total, %11 : f64
          scf.yield %total_1 : f64
        } else {
          scf.yield %total : f64
        }
        scf.yield %8 : f64
      }
      %transformed_1 = tensor.insert %6 into %5[%i] : tensor<2xf64>
      scf.yield %transformed_1 : tensor<2xf64>
    }
    %12 = func.call @distance(%variable, %4) : (tensor<2xf64>, tensor<2xf64>) -> f64
    func.return %12 : f64
  }
  func.func private @energy(%variable: tensor<2xf64>, %matrix: tensor<2x2xf64>) -> f64 {
    %0 = func.call @stability(%variable, %matrix) : (tensor<2xf64>, tensor<2x2xf64>) -> f64
    func.return %0 : f64
  }
  func.func private @response_layer(%variable: tensor<2xf64>, %integration_rate: f64, %inhibition: tensor<2x2xf64>, %previous_value: tensor<2xf64>) -> (tensor<2xf64>, f64, tensor<2xf64>) {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = arith.constant 0.000000e+00 : f64
    %2 = arith.subf %0, %integration_rate : f64
    %3 = tensor.empty() : tensor<2xf64>
    %value = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%previous_value, %variable : tensor<2xf64>, tensor<2xf64>) outs(%3 : tensor<2xf64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.mulf %2, %4 : f64
      %8 = arith.mulf %integration_rate, %5 : f64
      %9 = arith.addf %7, %8 : f64
      linalg.yield %9 : f64
    } -> tensor<2xf64>
    %activity = func.call @logistic_1(%value, %0, %1, %1, %0, %1) : (tensor<2xf64>, f64, f64, f64, f64, f64) -> tensor<2xf64>
    %10 = func.call @energy(%activity, %inhibition) : (tensor<2xf64>, tensor<2x2xf64>) -> f64
    func.return %activity, %10, %value : tensor<2xf64>, f64, tensor<2xf64>
  }
  func.func private @_bias(%starting_value: f64, %threshold: f64) -> f64 {
    %0 = arith.constant 2.000000e+00 : f64
    %1 = arith.constant 0.000000e+00 : f64
    %2 = arith.constant 1.000000e-08 : f64
    %3 = arith.constant 1.000000e+00 : f64
    %4 = arith.constant 0.99999998999999995 : f64
    %5 = arith.addf %starting_value, %threshold : f64
    %6 = arith.mulf %0, %threshold : f64
    %bias = arith.divf %5, %6 : f64
    %7 = arith.cmpf ole, %bias, %1 : f64
    %8 = scf.if %7 -> (f64) {
      scf.yield %2 : f64
    } else {
      scf.yield %bias : f64
    }
    %9 = arith.cmpf oge, %8, %3 : f64
    %10 = scf.if %9 -> (f64) {
      scf.yield %4 : f64
    } else {
      scf.yield %8 : f64
    }
    func.return %10 : f64
  }
  func.func private @_coth(%x: tensor<3xf64>) -> tensor<3xf64> {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = tensor.empty() : tensor<3xf64>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf64>) outs(%1 : tensor<3xf64>) {
    ^bb0(%3: f64, %4: f64):
      %5 = math.tanh %3 : f64
      %6 = arith.divf %0, %5 : f64
      linalg.yield %6 : f64
    } -> tensor<3xf64>
    func.return %2 : tensor<3xf64>
  }
  func.func private @_csch(%x: tensor<3xf64>) -> tensor<3xf64> {
    %0 = arith.constant 1.000000e+00 : f64
    %1 = tensor.empty() : tensor<3xf64>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<3xf64>) outs(%1 : tensor<3xf64>) {
    ^bb0(%3: f64, %4: f64):
      %5 = math.sinh %3 : f64
      %6 = arith.divf %0, %5 : f64
      linalg.yield %6 : f64
    } -> tensor<3xf64>
    func.return %2 : tensor<3xf64>
  }
  func.func private @_moments(%drift: f64, %noise: f64, %threshold: f64, %bias: f64, %non_decision_time: f64) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
    %0 = arith.constant 5.000000e-01 : f64
    %1 = arith.constant 2.000000e+00 : f64
    %2 = arith.constant 1.000000e-02 : f64
    %3 = arith.constant 1.000000e+02 : f64
    %4 = arith.constant -1.000000e+02 : f64
    %5 = arith.constant 1.000000e-04 : f64
    %6 = arith.constant 2 : index
    %7 = arith.constant 3.000000e+00 : f64
    %8 = arith.constant 1.500000e+00 : f64
    %9 = arith.subf %bias, %0 : f64
    %10 = arith.mulf %9, %1 : f64
    %start = arith.mulf %10, %threshold : f64
    %11 = math.absf %drift : f64
    %12 = arith.cmpf olt, %11, %2 : f64
    %13 = scf.if %12 -> (f64) {
      scf.yield %2 : f64
    } else {
      scf.yield %drift : f64
    }
    %14 = arith.mulf %noise, %noise : f64
    %15 = arith.mulf %13, %13 : f64
    %unit = arith.divf %14, %15 : f64
    %16 = arith.mulf %13, %start : f64
    %17 = arith.mulf %noise, %noise : f64
    %18 = arith.divf %16, %17 : f64
    %19 = arith.cmpf olt, %18, %3 : f64
    %20 = arith.select %19, %18, %3 : f64
    %21 = arith.cmpf ogt, %20, %4 : f64
    %x = arith.select %21, %20, %4 : f64
    %22 = arith.mulf %13, %threshold : f64
    %23 = arith.mulf %noise, %noise : f64
    %24 = arith.divf %22, %23 : f64
    %25 = arith.cmpf olt, %24, %3 : f64
    %26 = arith.select %25, %24, %3 : f64
    %27 = arith.cmpf ogt, %26, %4 : f64
    %z = arith.select %27, %26, %4 : f64
    %28 = math.absf %z : f64
    %29 = arith.cmpf olt, %28, %5 : f64
    %30 = scf.if %29 -> (f64) {
      scf.yield %5 : f64
    } else {
      scf.yield %z : f64
    }
    %31 = arith.addf %30, %x : f64
    %32 = arith.negf %x : f64
    %33 = arith.addf %30, %32 : f64
    %34 = arith.mulf %1, %30 : f64
    %ways = tensor.from_elements %31, %33, %34 : tensor<3xf64>
    %coth = func.call @_coth(%ways) : (tensor<3xf64>) -> tensor<3xf64>
    %csch = func.call @_csch(%ways) : (tensor<3xf64>) -> tensor<3xf64>
    %part = tensor.extract_slice %ways[0] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %full = tensor.extract %ways[%6] : tensor<3xf64>
    %35 = tensor.extract %coth[%6] : tensor<3xf64>
    %36 = arith.mulf %full, %35 : f64
    %37 = tensor.extract_slice %coth[0] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %38 = tensor.empty() : tensor<2xf64>
    %mean = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%part, %37 : tensor<2xf64>, tensor<2xf64>) outs(%38 : tensor<2xf64>) {
    ^bb0(%39: f64, %40: f64, %41: f64):
      %42 = arith.mulf %39, %40 : f64
      %43 = arith.subf %36, %42 : f64
      linalg.yield %43 : f64
    } -> tensor<2xf64>
    %44 = arith.mulf %full, %full : f64
    %45 = tensor.extract %csch[%6] : tensor<3xf64>
    %46 = tensor.extract %csch[%6] : tensor<3xf64>
    %47 = arith.mulf %45, %46 : f64
    %48 = arith.mulf %44, %47 : f64
    %49 = tensor.extract_slice %csch[0] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %50 = tensor.extract_slice %csch[0] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %51 = tensor.empty() : tensor<2xf64>
    %spread = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%part, %49, %50 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) outs(%51 : tensor<2xf64>) {
    ^bb0(%52: f64, %53: f64, %54: f64, %55: f64):
      %56 = arith.mulf %52, %52 : f64
      %57 = arith.mulf %53, %54 : f64
      %58 = arith.mulf %56, %57 : f64
      %59 = arith.subf %48, %58 : f64
      linalg.yield %59 : f64
    } -> tensor<2xf64>
    %60 = arith.mulf %full, %full : f64
    %61 = arith.mulf %60, %full : f64
    %62 = tensor.extract %coth[%6] : tensor<3xf64>
    %63 = arith.mulf %61, %62 : f64
    %64 = tensor.extract %csch[%6] : tensor<3xf64>
    %65 = tensor.extract %csch[%6] : tensor<3xf64>
    %66 = arith.mulf %64, %65 : f64
    %67 = arith.mulf %63, %66 : f64
    %68 = tensor.extract_slice %coth[0] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %69 = tensor.extract_slice %csch[0] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %70 = tensor.extract_slice %csch[0] [2] [1] : tensor<3xf64> to tensor<2xf64>
    %71 = arith.mulf %unit, %unit : f64
    %72 = tensor.empty() : tensor<2xf64>
    %variance = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%spread, %mean : tensor<2xf64>, tensor<2xf64>) outs(%72 : tensor<2xf64>) {
    ^bb0(%73: f64, %74: f64, %75: f64):
      %76 = arith.addf %73, %74 : f64
      %77 = arith.mulf %71, %76 : f64
      linalg.yield %77 : f64
    } -> tensor<2xf64>
    %78 = arith.mulf %unit, %unit : f64
    %79 = arith.mulf %78, %unit : f64
    %80 = tensor.empty() : tensor<2xf64>
    %81 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%mean : tensor<2xf64>) outs(%80 : tensor<2xf64>) {
    ^bb0(%82: f64, %83: f64):
      %84 = arith.mulf %unit, %82 : f64
      %85 = arith.addf %84, %non_decision_time : f64
      linalg.yield %85 : f64
    } -> tensor<2xf64>
    %86 = tensor.empty() : tensor<2xf64>
    %87 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%spread, %part, %68, %69, %70, %mean, %variance : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) outs(%86 : tensor<2xf64>) {
    ^bb0(%88: f64, %89: f64, %90: f64, %91: f64, %92: f64, %93: f64, %94: f64, %95: f64):
      %96 = arith.mulf %7, %88 : f64
      %97 = arith.mulf %89, %89 : f64
      %98 = arith.mulf %97, %89 : f64
      %99 = arith.mulf %98, %90 : f64
      %100 = arith.mulf %91, %92 : f64
      %101 = arith.mulf %99, %100 : f64
      %102 = arith.subf %67, %101 : f64
      %103 = arith.mulf %1, %102 : f64
      %104 = arith.addf %96, %103 : f64
      %105 = arith.mulf %7, %93 : f64
      %106 = arith.addf %104, %105 : f64
      %107 = arith.mulf %79, %106 : f64
      %108 = math.powf %94, %8 : f64
      %109 = arith.divf %107, %108 : f64
      linalg.yield %109 : f64
    } -> tensor<2xf64>
    func.return %81, %variance, %87 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
  }
  func.func private @_response(%drift: f64, %noise: f64, %threshold: f64, %bias: f64, %non_decision_time: f64) -> (f64, f64) {
    %0 = arith.constant 1.000000e-08 : f64
    %1 = arith.constant 2.000000e+00 : f64
    %2 = arith.constant 0.000000e+00 : f64
    %3 = arith.constant 1.000000e+00 : f64
    %4 = arith.constant -2.000000e+00 : f64
    %5 = arith.constant 0 : index
    %6 = arith.constant 1 : index
    %7 = arith.constant 2 : index
    %8 = arith.constant 1.7976931348623157e+308 : f64
    %9 = arith.constant 2.2250738585072014e-308 : f64
    %10 = arith.constant 1 : i64
    %11 = arith.constant 0 : i64
    %12 = math.absf %drift : f64
    %13 = arith.cmpf olt, %12, %0 : f64
    %14, %15 = scf.if %13 -> (f64, f64) {
      %16 = arith.mulf %bias, %1 : f64
      %17 = arith.mulf %16, %threshold : f64
      %start = arith.subf %17, %threshold : f64
      %18 = arith.mulf %threshold, %threshold : f64
      %19 = arith.mulf %start, %start : f64
      %20 = arith.subf %18, %19 : f64
      %21 = arith.mulf %noise, %noise : f64
      %22 = arith.divf %20, %21 : f64
      %time = arith.addf %non_decision_time, %22 : f64
      %23 = arith.subf %threshold, %start : f64
      %24 = arith.mulf %1, %threshold : f64
      %25 = arith.divf %23, %24 : f64
      scf.yield %time, %25 : f64, f64
    } else {
      %speed = math.absf %drift : f64
      %z = arith.divf %threshold, %speed : f64
      %26 = arith.divf %speed, %noise : f64
      %27 = arith.divf %speed, %noise : f64
      %a = arith.mulf %26, %27 : f64
      %28 = arith.cmpf olt, %drift, %2 : f64
      %29 = arith.subf %3, %bias : f64
      %adjusted = arith.select %28, %29, %bias : f64
      %30 = arith.mulf %noise, %noise : f64
      %31 = arith.divf %30, %1 : f64
      %32 = arith.subf %3, %adjusted : f64
      %33 = arith.divf %adjusted, %32 : f64
      %34 = math.log %33 : f64
      %y = arith.mulf %31, %34 : f64
      %35 = math.absf %y : f64
      %36 = arith.cmpf ogt, %35, %threshold : f64
      %37 = scf.if %36 -> (f64) {
        %38 = arith.cmpf olt, %drift, %2 : f64
        %39 = arith.negf %threshold : f64
        %y_1 = arith.select %38, %39, %threshold : f64
        scf.yield %y_1 : f64
      } else {
        scf.yield %y : f64
      }
      %x = arith.divf %37, %speed : f64
      %40 = arith.mulf %4, %x : f64
      %41 = arith.mulf %40, %a : f64
      %42 = arith.mulf %1, %z : f64
      %43 = arith.mulf %42, %a : f64
      %44 = arith.mulf %4, %z : f64
      %45 = arith.mulf %44, %a : f64
      %46 = tensor.from_elements %41, %43, %45 : tensor<3xf64>
      %47 = tensor.empty() : tensor<3xf64>
      %48 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%46 : tensor<3xf64>) outs(%47 : tensor<3xf64>) {
      ^bb0(%49: f64, %50: f64):
        %51 = math.exp %49 : f64
        linalg.yield %51 : f64
      } -> tensor<3xf64>
      %e_x = tensor.extract %48[%5] : tensor<3xf64>
      %e_up = tensor.extract %48[%6] : tensor<3xf64>
      %e_down = tensor.extract %48[%7] : tensor<3xf64>
      %52 = arith.cmpf ogt, %e_up, %8 : f64
      %53 = arith.cmpf ogt, %e_x, %8 : f64
      %54 = arith.cmpf olt, %e_down, %9 : f64
      %55 = arith.ori %53, %54 {cog.short_circuit} : i1
      %56 = arith.ori %52, %55 {cog.short_circuit} : i1
      %57, %58, %59 = scf.if %56 -> (f64, f64, i64) {
        %60 = arith.cmpf olt, %drift, %2 : f64
        %error = arith.select %60, %3, %2 : f64
        %61 = arith.divf %z, %a : f64
        %62 = arith.subf %61, %x : f64
        %63 = arith.addf %62, %non_decision_time : f64
        scf.yield %63, %error, %10 : f64, f64, i64
      } else {
        scf.yield %2, %2, %11 : f64, f64, i64
      }
      %64 = arith.cmpi eq, %59, %11 : i64
      %65, %66 = scf.if %64 -> (f64, f64) {
        %67 = arith.subf %3, %e_x : f64
        %68 = arith.subf %e_up, %e_down : f64
        %share = arith.divf %67, %68 : f64
        %69 = arith.mulf %z, %a : f64
        %70 = math.tanh %69 : f64
        %71 = arith.mulf %z, %70 : f64
        %72 = arith.mulf %1, %z : f64
        %73 = arith.subf %3, %e_x : f64
        %74 = arith.mulf %72, %73 : f64
        %75 = arith.subf %e_up, %e_down : f64
        %76 = arith.divf %74, %75 : f64
        %77 = arith.subf %76, %x : f64
        %time_1 = arith.addf %71, %77 : f64
        %78 = arith.addf %3, %e_up : f64
        %79 = arith.divf %3, %78 : f64
        %error_1 = arith.subf %79, %share : f64
        %80 = arith.cmpf olt, %drift, %2 : f64
        %81 = scf.if %80 -> (f64) {
          %error_2 = arith.subf %3, %error_1 : f64
          scf.yield %error_2 : f64
        } else {
          scf.yield %error_1 : f64
        }
        %82 = arith.addf %time_1, %non_decision_time : f64
        scf.yield %82, %81 : f64, f64
      } else {
        scf.yield %57, %58 : f64, f64
      }
      scf.yield %65, %66 : f64, f64
    }
    func.return %14, %15 : f64, f64
  }
  func.func private @drift_diffusion_analytical(%variable: tensor<1xf64>, %drift_rate: f64, %threshold: f64, %starting_value: f64, %noise: f64, %non_decision_time: f64, %random: !rng.state<mt19937>) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, !rng.state<mt19937>) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1.000000e+00 : f64
    %2 = arith.constant 1 : index
    %3 = tensor.extract %variable[%0] : tensor<1xf64>
    %drift = arith.mulf %drift_rate, %3 : f64
    %bias = func.call @_bias(%starting_value, %threshold) : (f64, f64) -> f64
    %time, %lower = func.call @_response(%drift, %noise, %threshold, %bias, %non_decision_time) : (f64, f64, f64, f64, f64) -> (f64, f64)
    %mean, %variance, %skew = func.call @_moments(%drift, %noise, %threshold, %bias, %non_decision_time) : (f64, f64, f64, f64, f64) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
    %4, %5 = rng.uniform %random : !rng.state<mt19937> -> f64
    %6 = arith.cmpf olt, %4, %lower : f64
    %7 = arith.negf %threshold : f64
    %decision = arith.select %6, %7, %threshold : f64
    %8 = arith.subf %1, %lower : f64
    %9 = tensor.extract %mean[%0] : tensor<2xf64>
    %10 = tensor.extract %variance[%0] : tensor<2xf64>
    %11 = tensor.extract %skew[%0] : tensor<2xf64>
    %12 = tensor.extract %mean[%2] : tensor<2xf64>
    %13 = tensor.extract %variance[%2] : tensor<2xf64>
    %14 = tensor.extract %skew[%2] : tensor<2xf64>
    func.return %decision, %time, %8, %lower, %9, %10, %11, %12, %13, %14, %5 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, !rng.state<mt19937>
  }
  func.func private @color_evidence(%activity: tensor<2xf64>) -> tensor<1xf64> {
    %0 = tensor.extract_slice %activity[0] [1] [1] : tensor<2xf64> to tensor<1xf64>
    %1 = tensor.extract_slice %activity[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
    %2 = tensor.empty() : tensor<1xf64>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<1xf64>, tensor<1xf64>) outs(%2 : tensor<1xf64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.subf %4, %5 : f64
      linalg.yield %7 : f64
    } -> tensor<1xf64>
    func.return %3 : tensor<1xf64>
  }
  func.func private @pointing_evidence(%activity: tensor<2xf64>) -> tensor<1xf64> {
    %0 = arith.constant 2.000000e+00 : f64
    %1 = tensor.extract_slice %activity[0] [1] [1] : tensor<2xf64> to tensor<1xf64>
    %2 = tensor.extract_slice %activity[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
    %3 = tensor.empty() : tensor<1xf64>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1, %2 : tensor<1xf64>, tensor<1xf64>) outs(%3 : tensor<1xf64>) {
    ^bb0(%5: f64, %6: f64, %7: f64):
      %8 = arith.subf %5, %6 : f64
      %9 = arith.mulf %8, %0 : f64
      linalg.yield %9 : f64
    } -> tensor<1xf64>
    func.return %4 : tensor<1xf64>
  }
  func.func private @reward(%color: tensor<1xf64>, %pointing: tensor<1xf64>) -> tensor<1xf64> {
    %0 = arith.constant 3.000000e+00 : f64
    %1 = arith.constant 5.000000e+00 : f64
    %2 = tensor.empty() : tensor<1xf64>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%color, %pointing : tensor<1xf64>, tensor<1xf64>) outs(%2 : tensor<1xf64>) {
    ^bb0(%4: f64, %5: f64, %6: f64):
      %7 = arith.mulf %0, %4 : f64
      %8 = arith.mulf %1, %5 : f64
      %9 = arith.addf %7, %8 : f64
      linalg.yield %9 : f64
    } -> tensor<1xf64>
    func.return %3 : tensor<1xf64>
  }
  rng.stream @DDM_COLOR_stream mt19937 seed 0
  rng.stream @DDM_POINT_stream mt19937 seed 1
}

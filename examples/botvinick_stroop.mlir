builtin.module {
  cog.model @botvinick_stroop {
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
    cog.input @COLORS_INPUT["variable"]
    cog.input @WORDS_INPUT["variable"]
    cog.input @TASK_INPUT["variable"]
    cog.output @COLORS_HIDDEN["value"]
    cog.output @WORDS_HIDDEN["value"]
    cog.output @TASK_LAYER["value"]
    cog.output @RESPONSE["result"]
    cog.output @RESPONSE["decision_energy"]
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
}

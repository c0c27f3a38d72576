// The record of a controller: a row for each simulation, with its levels and the outputs after it, which the loops over the points carry; when
// the search is over it is put behind those of the searches before it. What a search within a simulation finds is not recorded.
// RUN: cog-opt %s -p 'convert-cog-to-machine{recorded="part/control" record-room=16}' | filecheck %s

cog.model @part {
  cog.node @act (%in: f64) params(%gain: f64 = 1.0) -> (value: f64 = 0.0) {
    %value = arith.mulf %in, %gain : f64
    cog.yield %value
  }
  cog.input @act
  cog.output @act
  cog.grid_search @control after minimize @act {
    cog.signal @gain levels [1.0, 2.0, 3.0]
  }
  cog.modulate @control["gain"] -> @act["gain"] multiply
  cog.schedule layers [[@act]] { cog.program { cog.step [@act] } }
}
cog.model @whole {
  cog.node @scale (%in: f64) params(%by: f64 = 1.0) -> (value: f64 = 0.0) {
    %value = arith.mulf %in, %by : f64
    cog.yield %value
  }
  cog.instance @part of @part
  cog.input @scale
  cog.project @scale -> @part
  cog.output @part
  cog.grid_search @outer after maximize @part {
    cog.signal @by levels [1.0, 2.0]
  }
  cog.modulate @outer["by"] -> @scale["by"] multiply
  cog.schedule layers [[@scale], [@part]] { cog.program { cog.step [@scale] cog.step [@part] } }
}

// CHECK:      func.func @trial(
// CHECK:        %record = tensor.empty() : tensor<6xf64>
// CHECK:        scf.for %gain_index = {{.*}} iter_args({{.*}}, %record{{.*}} = %record
// CHECK:          [[COLUMN:%.*]] = arith.muli %gain_index
// CHECK:          tensor.insert %gain_1 into %record_2[[[COLUMN]]]
// CHECK:          tensor.insert %value_2 into %record_3
// CHECK-NOT:    cog.first_optimum
// CHECK:        [[LEFT:%.*]] = arith.cmpi slt, [[COUNT:%control_count.*]], [[LAST:%.*]] : i64
// CHECK:        arith.select [[LEFT]], [[COUNT]], [[LAST]] : i64
// CHECK:        %row = arith.index_cast
// CHECK:        scf.for %word
// CHECK:        arith.addi [[COUNT]]
// CHECK:        scf.for %by_index
// CHECK-NOT:    %record
// CHECK:        func.return
//
// CHECK: "part/control/record:rows" = ["sf", 4 : i64, tensor<2x3x2xf64>]
// CHECK: "part/control/record:count" = ["si", 0 : i64, i64]

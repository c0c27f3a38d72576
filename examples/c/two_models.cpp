// Two models in one C++ program, each in a thread of its own.
//
//     for model in ddm_integrator:ddm lca:lca; do
//       cog-translate examples/${model%:*}.mlir --emit=obj --prefix=${model#*:} -o ${model#*:}.o
//       cog-translate examples/${model%:*}.mlir --emit=c-header --prefix=${model#*:} -o ${model#*:}.h
//     done
//     c++ -O2 -I. examples/c/two_models.cpp ddm.o lca.o -lm -pthread -o two_models && ./two_models
#include <cstdio>
#include <thread>
#include <vector>

#include "ddm.h"
#include "lca.h"

int main() {
  constexpr int trials = 100;
  std::vector<double> ddm_out(trials * DDM_OUT), lca_out(trials * LCA_OUT);
  std::vector<double> ddm_in(DDM_IN, 0.3), lca_in(LCA_IN, 0.5);
  int ddm_status = -1, lca_status = -1;
  std::thread first([&] {
    ddm_model model;
    ddm_start(&model);
    ddm_status = ddm_run_trials(&model, ddm_in.data(), 1, ddm_out.data(), trials);
  });
  std::thread second([&] {
    lca_model model;
    lca_start(&model);
    lca_status = lca_run_trials(&model, lca_in.data(), 1, lca_out.data(), trials);
  });
  first.join();
  second.join();
  std::printf("%d %d\n%.17g\n%.17g\n", ddm_status, lca_status, ddm_out.back(), lca_out.back());
  return ddm_status != DDM_FINISHED || lca_status != LCA_FINISHED;
}

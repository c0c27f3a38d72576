/* A drift diffusion model without Python: response times and choices for three drifts.
 *
 *     cog-translate examples/ddm_integrator.mlir --emit=obj --prefix=ddm -o ddm.o
 *     cog-translate examples/ddm_integrator.mlir --emit=c-header --prefix=ddm -o ddm.h
 *     cc -O2 -I. examples/c/decisions.c ddm.o -lm -o decisions && ./decisions
 */
#include <stdio.h>

#include "ddm.h"

enum { TRIALS = 1000 };

int main(void) {
  static double out[TRIALS][DDM_OUT];
  const double drifts[3] = {0.5, 0.0, -0.5};
  static ddm_model model;
  ddm_start(&model);
  for (int i = 0; i < 3; ++i) {
    const double in[1][DDM_IN] = {{drifts[i]}};
    int status = ddm_run_trials(&model, in[0], 1, out[0], TRIALS);
    if (status != DDM_FINISHED) {
      fprintf(stderr, "the run ended with status %d\n", status);
      return 1;
    }
    double upper = 0.0, time = 0.0;
    for (int t = 0; t < TRIALS; ++t) {
      upper += out[t][DDM_OUT_DDM_VALUE] > 0.0;
      time += out[t][DDM_OUT_DDM_TIME];
    }
    printf("drift %5.2f: %.3f upper, %.17g s\n", drifts[i], upper / TRIALS, time / TRIALS);
  }
  return 0;
}

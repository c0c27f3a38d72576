/*
 * The limit for a chain of fully connected layers: matrix, rectifier, matrix, rectifier, ...
 *
 * An output is the sum over the inputs from left to right, as a model's projection is defined, so that the results are the same bits;
 * no two products of one sum may be exchanged. What is left to a programmer is to take many outputs side by side: a block of them stays in
 * registers while the rows of the matrix go by once.
 *
 *     cc -O3 -march=native -mprefer-vector-width=512 -ffp-contract=off -shared -fPIC matrix_chain.c -o matrix_chain.so
 */
#include <string.h>

enum { BLOCK = 64, WIDEST = 1024 };

static void layer(int width, const double *restrict matrix, const double *restrict in, double *restrict out) {
    int first = 0;
    for (; first + BLOCK <= width; first += BLOCK) {
        double sum[BLOCK] = {0};
        for (int i = 0; i < width; i++)
            for (int j = 0; j < BLOCK; j++)
                sum[j] += in[i] * matrix[(long)i * width + first + j];
        for (int j = 0; j < BLOCK; j++)
            out[first + j] = sum[j] > 0.0 ? sum[j] : 0.0;
    }
    for (; first < width; first++) {
        double sum = 0.0;
        for (int i = 0; i < width; i++)
            sum += in[i] * matrix[(long)i * width + first];
        out[first] = sum > 0.0 ? sum : 0.0;
    }
}

/* `matrices`: layers x width x width, `inputs`: n_inputs x width, `outputs`: trials x width; `width` is at most WIDEST. */
void matrix_chain(int layers, int width, const double *matrices, int n_inputs, const double *inputs, long trials, double *outputs) {
    double buffers[2][WIDEST];
    for (long trial = 0; trial < trials; trial++) {
        const double *from = inputs + trial % n_inputs * width;
        for (int each = 0; each < layers; each++) {
            layer(width, matrices + (long)each * width * width, from, buffers[each % 2]);
            from = buffers[each % 2];
        }
        memcpy(outputs + trial * width, from, sizeof(double) * width);
    }
}

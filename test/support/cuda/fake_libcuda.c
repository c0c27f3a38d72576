/*
 * A libcuda.so.1 without a GPU, by which the real PyCUDA and the real cuda-bindings are tried: their arguments arrive here as on a machine
 * with NVIDIA's driver. Memory of the device is memory of the host, all work is done at once, and there is one kernel,
 *
 *     scale(double *values, int64_t count, double factor)
 *
 * test/unit/runtime/cuda/test_real_libraries.py builds it. `FAKE_MEMORY` in the environment is the size of the device's memory.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500 };
enum { SYMBOLS = 64 };

static __thread int contexts;
static size_t held;
static int living; /* modules, streams and events */
static struct { char *address; size_t size; } blocks[SYMBOLS];

static size_t memory(void) { const char *given = getenv("FAKE_MEMORY"); return given ? strtoull(given, 0, 10) : 1ull << 30; }

int alive(void) { return living; }

#define IN_CONTEXT if (!contexts) return INVALID_CONTEXT

int cuInit(unsigned flags) { return 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuGetErrorString(int error, const char **text) {
  *text = error == OUT_OF_MEMORY ? "out of memory" : error == INVALID_IMAGE ? "device kernel image is invalid"
        : error == INVALID_CONTEXT ? "invalid device context" : error == NOT_FOUND ? "named symbol not found"
        : error == INVALID_VALUE ? "invalid argument" : "operation not supported";
  return 0;
}
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return number ? 101 : 0; }
int cuDeviceGetName(char *name, int size, int device) { snprintf(name, size, "libcuda of the tests"); return 0; }
int cuDeviceTotalMem_v2(size_t *size, int device) { *size = memory(); return 0; }
int cuDeviceComputeCapability(int *major, int *minor, int device) { *major = 9; *minor = 0; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
    case 1: *value = 1024; return 0;     /* MAX_THREADS_PER_BLOCK */
    case 10: *value = 32; return 0;      /* WARP_SIZE */
    case 13: *value = 1980000; return 0; /* CLOCK_RATE */
    case 16: *value = 132; return 0;     /* MULTIPROCESSOR_COUNT */
    case 39: *value = 2048; return 0;    /* MAX_THREADS_PER_MULTIPROCESSOR */
    case 75: *value = 9; return 0;       /* COMPUTE_CAPABILITY_MAJOR */
    case 76: *value = 0; return 0;       /* COMPUTE_CAPABILITY_MINOR */
    case 81: *value = 233472; return 0;  /* MAX_SHARED_MEMORY_PER_MULTIPROCESSOR */
    case 82: *value = 65536; return 0;   /* MAX_REGISTERS_PER_MULTIPROCESSOR */
  }
  return INVALID_VALUE;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &held; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
int cuCtxPushCurrent_v2(void *context) { contexts++; return context == &held ? 0 : INVALID_CONTEXT; }
int cuCtxPopCurrent_v2(void **context) { if (!contexts) return INVALID_CONTEXT; contexts--; if (context) *context = &held; return 0; }
int cuCtxGetCurrent(void **context) { *context = contexts ? &held : 0; return 0; }
int cuCtxGetDevice(int *device) { *device = 0; return 0; }
int cuCtxAttach(void **context, unsigned flags) { *context = &held; return 0; }
int cuCtxDetach(void *context) { return 0; }
int cuCtxSynchronize(void) { return 0; }

int cuMemGetInfo_v2(size_t *left, size_t *total) { IN_CONTEXT; *total = memory(); *left = *total - held; return 0; }
int cuMemAlloc_v2(uint64_t *address, size_t size) {
  IN_CONTEXT;
  if (!size) return INVALID_VALUE;
  if (held + size > memory()) return OUT_OF_MEMORY;
  for (int i = 0; i < SYMBOLS; i++)
    if (!blocks[i].address) {
      blocks[i].address = memset(malloc(size), 0xCD, size);
      blocks[i].size = size;
      held += size;
      *address = (uint64_t)blocks[i].address;
      return 0;
    }
  return OUT_OF_MEMORY;
}
int cuMemFree_v2(uint64_t address) {
  IN_CONTEXT;
  for (int i = 0; i < SYMBOLS; i++)
    if (address && (uint64_t)blocks[i].address == address) {
      free(blocks[i].address);
      blocks[i].address = 0;
      held -= blocks[i].size;
      return 0;
    }
  return INVALID_VALUE;
}
static int is_ours(uint64_t address, size_t size) {
  for (int i = 0; i < SYMBOLS; i++)
    if (blocks[i].address && (uint64_t)blocks[i].address <= address && address + size <= (uint64_t)blocks[i].address + blocks[i].size) return 1;
  return 0;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream) {
  IN_CONTEXT; if (!is_ours(to, size) || !stream) return INVALID_VALUE; memcpy((void *)to, from, size); return 0;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t size, void *stream) {
  IN_CONTEXT; if (!is_ours(from, size) || !stream) return INVALID_VALUE; memcpy(to, (void *)from, size); return 0;
}
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t size, void *stream) {
  IN_CONTEXT; if (!is_ours(to, size) || !stream) return INVALID_VALUE; memset((void *)to, value, size); return 0;
}

int cuStreamCreate(void **stream, unsigned flags) { IN_CONTEXT; if (flags != 1) return INVALID_VALUE; *stream = malloc(1); living++; return 0; }
int cuStreamDestroy_v2(void *stream) { IN_CONTEXT; free(stream); living--; return 0; }
int cuStreamQuery(void *stream) { IN_CONTEXT; return stream ? 0 : INVALID_VALUE; }
int cuStreamSynchronize(void *stream) { IN_CONTEXT; return stream ? 0 : INVALID_VALUE; }
int cuEventCreate(void **event, unsigned flags) { IN_CONTEXT; *event = malloc(1); living++; return 0; }
int cuEventDestroy_v2(void *event) { IN_CONTEXT; free(event); living--; return 0; }
int cuEventRecord(void *event, void *stream) { IN_CONTEXT; return event && stream ? 0 : INVALID_VALUE; }
int cuEventSynchronize(void *event) { IN_CONTEXT; return 0; }
int cuEventQuery(void *event) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *start, void *end) { IN_CONTEXT; *milliseconds = 2.0f; return start != end ? 0 : INVALID_VALUE; }
int cuEventElapsedTime_v2(float *milliseconds, void *start, void *end) { return cuEventElapsedTime(milliseconds, start, end); }

int cuModuleLoadData(void **module, const char *image) {
  IN_CONTEXT;
  if (!strstr(image, ".entry")) return INVALID_IMAGE; /* the text must end with a zero */
  *module = (void *)strdup(image);
  living++;
  return 0;
}
int cuModuleLoadDataEx(void **module, const char *image, unsigned count, void *options, void *values) { return cuModuleLoadData(module, image); }
int cuModuleUnload(void *module) { IN_CONTEXT; free(module); living--; return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  char entry[256];
  IN_CONTEXT;
  snprintf(entry, sizeof entry, ".entry %s(", name);
  *function = (void *)entry;
  if (!strstr(module, entry)) return NOT_FOUND;
  *function = strdup(name);
  return 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  static const int values[] = {1024, 16, 0, 8, 40}; /* threads of a block, shared, constant, local, registers */
  if (attribute < 0 || attribute > 4) return INVALID_VALUE;
  *value = values[attribute];
  return 0;
}
int cuFuncSetBlockShape(void *function, int x, int y, int z) { return 0; }
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **parameters, void **extra) {
  double *values, factor;
  int64_t count;
  IN_CONTEXT;
  if (!stream || strcmp(function, "scale") || gy != 1 || gz != 1 || by != 1 || bz != 1) return INVALID_VALUE;
  if (parameters) {
    values = *(double **)parameters[0], count = *(int64_t *)parameters[1], factor = *(double *)parameters[2];
  } else { /* CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END */
    if (extra[0] != (void *)1 || extra[2] != (void *)2 || *(size_t *)extra[3] != 24 || extra[4]) return INVALID_VALUE;
    char *buffer = extra[1];
    memcpy(&values, buffer, 8), memcpy(&count, buffer + 8, 8), memcpy(&factor, buffer + 16, 8);
  }
  if (!is_ours((uint64_t)values, 8 * count) || (uint64_t)gx * bx < (uint64_t)count) return INVALID_VALUE;
  for (int64_t i = 0; i < count; i++) values[i] *= factor;
  return 0;
}

int cuGetProcAddress_v2(const char *symbol, void **found, int version, uint64_t flags, int *status) {
  static const char *const endings[] = {"_v4", "_v3", "_v2", ""};
  char name[256];
  *found = 0;
  for (int i = 0; i < 4 && !*found; i++) {
    snprintf(name, sizeof name, "%s%s", symbol, endings[i]);
    *found = dlsym(RTLD_DEFAULT, name);
  }
  if (!*found) {
    void *self = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    for (int i = 0; self && i < 4 && !*found; i++) {
      snprintf(name, sizeof name, "%s%s", symbol, endings[i]);
      *found = dlsym(self, name);
    }
  }
  if (status) *status = *found ? 0 : 1;
  return *found ? 0 : NOT_FOUND;
}
int cuGetProcAddress(const char *symbol, void **found, int version, uint64_t flags) { return cuGetProcAddress_v2(symbol, found, version, flags, 0); }

// SPDX-License-Identifier: Apache-2.0
// Row kernels for AVX2 and NEON, and operations that the kernels in Swift need.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef uint16_t CKernelsLanes __attribute__((ext_vector_type(8)));
typedef uint32_t CKernelsFour __attribute__((ext_vector_type(4)));
typedef uint32_t CKernelsWideLanes __attribute__((ext_vector_type(8)));

/// The upper halves of eight 32-bit products: `pmulhuw` on x86-64.
static inline CKernelsLanes ckernels_high_products(CKernelsLanes a, CKernelsLanes b) {
  CKernelsWideLanes product = __builtin_convertvector(a, CKernelsWideLanes) *
                              __builtin_convertvector(b, CKernelsWideLanes);
  return __builtin_convertvector(product >> 16, CKernelsLanes);
}

/// `value` without its fraction; it must fit into an `intptr_t`. One instruction, whereas Swift's `Int(_:)`
/// also checks the range.
static inline intptr_t ckernels_whole(double value) { return (intptr_t)value; }

#if defined(__x86_64__)
typedef char CKernelsBytes __attribute__((vector_size(16)));
typedef short CKernelsShorts __attribute__((vector_size(16)));
typedef int CKernelsInts __attribute__((vector_size(16)));
#endif

/// Whether the alpha of all four pixels is 255.
static inline bool ckernels_are_opaque(CKernelsLanes pixels) {
#if defined(__x86_64__)
  const CKernelsInts ones = {-1, -1, -1, -1};
  CKernelsBytes full = (CKernelsBytes)((CKernelsBytes)pixels == (CKernelsBytes)ones);
  return (__builtin_ia32_pmovmskb128(full) & 0x8888) == 0x8888;
#else
  return (pixels[1] & pixels[3] & pixels[5] & pixels[7]) >= 0xff00;
#endif
}

/// Whether all four pixels are zero.
static inline bool ckernels_are_zero(CKernelsLanes pixels) {
#if defined(__x86_64__)
  const CKernelsInts zero = {0, 0, 0, 0};
  CKernelsBytes none = (CKernelsBytes)((CKernelsBytes)pixels == (CKernelsBytes)zero);
  return __builtin_ia32_pmovmskb128(none) == 0xffff;
#else
  typedef uint64_t Pairs __attribute__((ext_vector_type(2)));
  return (((Pairs)pixels)[0] | ((Pairs)pixels)[1]) == 0;
#endif
}

/// Byte i of `bytes`, widened to 16 bits, in lanes 2i and 2i + 1, which are those of pixel i.
static inline CKernelsLanes ckernels_doubled(uint32_t bytes) {
  typedef uint8_t Bytes __attribute__((ext_vector_type(16)));
  Bytes four = (Bytes)(CKernelsFour){bytes, 0, 0, 0};
  return (CKernelsLanes)__builtin_shufflevector(four, four, 0, 4, 0, 4, 1, 4, 1, 4, 2, 4, 2, 4, 3, 4, 3, 4);
}

/// Converts two vectors of four XRGB8888 pixels each to RGB565.
static inline CKernelsLanes ckernels_packed_565(CKernelsLanes first, CKernelsLanes second) {
#if defined(__x86_64__)
  // A multiplication moves red and blue next to green: red · 2^13 + blue · 2^2.
  const CKernelsInts ends = {0xf800f8, 0xf800f8, 0xf800f8, 0xf800f8};
  const CKernelsInts middle = {0xfc00, 0xfc00, 0xfc00, 0xfc00};
  const CKernelsShorts factors = {4, 0x2000, 4, 0x2000, 4, 0x2000, 4, 0x2000};
  CKernelsInts a = (CKernelsInts)first, b = (CKernelsInts)second;
  a = (CKernelsInts)__builtin_ia32_pmaddwd128((CKernelsShorts)(a & ends), factors) | (a & middle);
  b = (CKernelsInts)__builtin_ia32_pmaddwd128((CKernelsShorts)(b & ends), factors) | (b & middle);
  // Sign-extends the sixteen bits that start at bit 5, so that packing with saturation leaves them unchanged.
  return (CKernelsLanes)__builtin_ia32_packssdw128((a << 11) >> 16, (b << 11) >> 16);
#else
  CKernelsWideLanes p;
  p.lo = (CKernelsFour)first;
  p.hi = (CKernelsFour)second;
  return __builtin_convertvector((p >> 8 & 0xf800) | (p >> 5 & 0x07e0) | (p >> 3 & 0x001f), CKernelsLanes);
#endif
}

// Row kernels for AVX2, if the processor has it, and NEON. Each returns the number of pixels done, from the
// first on: all of them, those in whole vectors, or none. The Swift kernel that calls it does the rest, or
// all pixels on other processors; both give the same bits. CKernels.c lists how much faster these kernels
// are.
//
// `mask` has the bits to set in every stored pixel, or, in the weighted sums, in every source pixel: none, or
// the alpha byte.

#if defined(__x86_64__) || defined(__aarch64__)
/// Whether the kernels for AVX2 or NEON (`…_wide`) are supported and enabled.
extern bool ckernels_is_wide;
/// Disables these kernels, or enables them if the processor supports them.
void ckernels_set_wide(bool enabled);
#define CKERNELS_ROW(name, parameters, ...)                          \
  intptr_t name##_wide parameters;                                   \
  static inline intptr_t name parameters {                           \
    return ckernels_is_wide ? name##_wide(__VA_ARGS__) : 0;          \
  }
#else
static inline void ckernels_set_wide(bool enabled) { (void)enabled; }
#define CKERNELS_ROW(name, parameters, ...)                           \
  _Pragma("clang diagnostic push")                                    \
  _Pragma("clang diagnostic ignored \"-Wunused-parameter\"")          \
  static inline intptr_t name parameters { return 0; }                \
  _Pragma("clang diagnostic pop")
#endif

/// Composes premultiplied `source` over `destination`; sets the bits of `mask`.
CKERNELS_ROW(ckernels_over,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint32_t mask),
             destination, source, count, mask)

/// Composes `source` with the bits of `source_mask` set, multiplied by `opacity` / 255, over `destination`.
CKERNELS_ROW(ckernels_over_opacity,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint8_t opacity,
              uint32_t source_mask, uint32_t mask),
             destination, source, count, opacity, source_mask, mask)

/// Does the same as `ckernels_over_opacity`, but first multiplies the colour by `light` / 256, rounded;
/// `light` is at most 256.
CKERNELS_ROW(ckernels_over_light,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint8_t opacity,
              uint16_t light, uint32_t source_mask, uint32_t mask),
             destination, source, count, opacity, light, source_mask, mask)

/// Composes a premultiplied colour over `destination`.
CKERNELS_ROW(ckernels_over_colour,
             (uint32_t *destination, uint32_t colour, intptr_t count, uint32_t mask),
             destination, colour, count, mask)

/// Composes a premultiplied colour, multiplied by each byte of `coverage` / 255, over `destination`.
CKERNELS_ROW(ckernels_over_coverage,
             (uint32_t *destination, uint32_t colour, const uint8_t *coverage, intptr_t count,
              uint32_t mask),
             destination, colour, coverage, count, mask)

/// Stores `pixel` `count` times.
CKERNELS_ROW(ckernels_fill, (uint32_t *destination, uint32_t pixel, intptr_t count),
             destination, pixel, count)

/// Converts XRGB8888 to RGB565. `dither` is null, or has the amounts to add to eight successive pixels before
/// truncation; they repeat along the row.
CKERNELS_ROW(ckernels_copy_565,
             (uint16_t *destination, const uint32_t *source, intptr_t count, const uint32_t *dither),
             destination, source, count, dither)

/// Converts XRGB8888 to XRGB2101010.
CKERNELS_ROW(ckernels_copy_2101010, (uint32_t *destination, const uint32_t *source, intptr_t count),
             destination, source, count)

/// Stores the weighted sum of two rows, rounded. Weights are in 1/256. `first_odd` and `second_odd` have the
/// weight of red, green and blue in the lower half and the weight of alpha in the upper. Sets the upper byte
/// of `every` to the bits that are set in the alpha of all resulting pixels; its other bytes are unspecified.
CKERNELS_ROW(ckernels_sum_two,
             (uint32_t *destination, const uint32_t *first, uint32_t first_odd, const uint32_t *second,
              uint32_t second_odd, intptr_t count, uint32_t mask, uint32_t *every),
             destination, first, first_odd, second, second_odd, count, mask, every)

/// The layout of the Swift struct `Kernels.RowWeight`.
typedef struct {
  CKernelsLanes even;
  CKernelsLanes odd;
  intptr_t byte_offset;
} CKernelsRowWeight;

/// Stores the weighted sum of rows, rounded. `every` as in `ckernels_sum_two`.
CKERNELS_ROW(ckernels_sum_rows,
             (uint32_t *destination, const void *rows, const void *weights, intptr_t row_count,
              intptr_t count, uint32_t mask, uint32_t *every),
             destination, rows, weights, row_count, count, mask, every)

/// Resamples a row bilinearly with steps of 0 … 1 pixel: pixel k is at `position` + k·`step`, in 1/65536 of a
/// pixel. Reads no pixel beyond the last one that a sample needs.
CKERNELS_ROW(ckernels_resample,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint32_t position,
              uint32_t step),
             destination, source, count, position, step)

/// Transposes blocks of eight by eight pixels. `width` and `height` are multiples of eight; strides are in
/// pixels and may be negative. Returns 0 if nothing was done.
CKERNELS_ROW(ckernels_transpose,
             (uint32_t *destination, intptr_t stride, const uint32_t *source, intptr_t source_stride,
              intptr_t width, intptr_t height, uint32_t mask),
             destination, stride, source, source_stride, width, height, mask)

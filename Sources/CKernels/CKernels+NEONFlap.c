// SPDX-License-Identifier: Apache-2.0
#include "NEON.h"

#if defined(__aarch64__)
/// The sums of four pixels in 16-bit lanes, which suffice because the weights add up to at most 256.
typedef struct {
  uint16x8_t low, high;
} Sum;

static inline Sum product(Four pixels, Four weight) {
  return (Sum){vmull_u8(vget_low_u8(pixels), vget_low_u8(weight)), vmull_high_u8(pixels, weight)};
}
static inline Sum added(Sum sum, Four pixels, Four weight) {
  return (Sum){vmlal_u8(sum.low, vget_low_u8(pixels), vget_low_u8(weight)),
               vmlal_high_u8(sum.high, pixels, weight)};
}
static inline Four rounded(Sum sum) { return vrshrn_high_n_u16(vrshrn_n_u16(sum.low, 8), sum.high, 8); }

/// The bits that are set in all four pixels.
static inline uint32_t folded(Four pixels) {
  uint64x2_t pairs = vreinterpretq_u64_u8(pixels);
  uint64_t both = vgetq_lane_u64(pairs, 0) & vgetq_lane_u64(pairs, 1);
  return (uint32_t)(both & (both >> 32));
}

/// Stores sixteen pixels, each ANDed with `made` and ORed with `set`. Returns the AND of the four stored
/// vectors.
static inline Four store_sixteen(uint32_t *to, Four p0, Four p1, Four p2, Four p3, Four made, Four set) {
  p0 = vorrq_u8(vandq_u8(p0, made), set);
  p1 = vorrq_u8(vandq_u8(p1, made), set);
  p2 = vorrq_u8(vandq_u8(p2, made), set);
  p3 = vorrq_u8(vandq_u8(p3, made), set);
  store(to, p0);
  store(to + 4, p1);
  store(to + 8, p2);
  store(to + 12, p3);
  return vandq_u8(vandq_u8(p0, p1), vandq_u8(p2, p3));
}

/// The weights of the four bytes of each pixel. `odd` has the weight of the colours in the lower half and the
/// weight of alpha in the upper.
static inline Four byte_weights(uint32_t odd) { return splat((odd & 0xff) * 0x010101 | (odd >> 16) << 24); }

intptr_t ckernels_sum_two_wide(uint32_t *destination, const uint32_t *first, uint32_t first_odd,
                               const uint32_t *second, uint32_t second_odd, intptr_t count, uint32_t mask,
                               uint32_t *every) {
  // A weight of 256 does not fit into a byte. It occurs only if all of the weight is on one row; that row is
  // added twice, with the weights 255 and 1.
  uint32_t large = 256u << 16;
  if (second_odd >= large) {
    first = second;
    first_odd = second_odd;
  }
  if (first_odd >= large) {
    bool bright = (first_odd & 0xffff) > 255;
    second = first;
    second_odd = 1u << 16 | bright;
    first_odd = 255u << 16 | (bright ? 255 : first_odd & 0xffff);
  }
  if (count < 4 || ((first_odd | second_odd) & 0xff00) != 0) return 0;
  Four a = byte_weights(first_odd), b = byte_weights(second_odd), all = splat(0xffffffff), bits = splat(mask);
  // In the bytes that the mask selects, all bits of the source pixels count as set, so these bytes of the
  // result are constant (`set`) and their weights become 0.
  const Four set = vandq_u8(rounded(added(product(all, a), all, b)), bits);
  a = vbicq_u8(a, bits);
  b = vbicq_u8(b, bits);
  Four kept = all;
  intptr_t i = 0;
  for (; i + 16 <= count; i += 16) {
    Four p0 = rounded(added(product(load(first + i), a), load(second + i), b));
    Four p1 = rounded(added(product(load(first + i + 4), a), load(second + i + 4), b));
    Four p2 = rounded(added(product(load(first + i + 8), a), load(second + i + 8), b));
    Four p3 = rounded(added(product(load(first + i + 12), a), load(second + i + 12), b));
    kept = vandq_u8(kept, store_sixteen(destination + i, p0, p1, p2, p3, all, set));
  }
  for (; i < count; i += 4) {
    // The last vector overlaps the previous one.
    if (i + 4 > count) i = count - 4;
    Four pixels = vorrq_u8(rounded(added(product(load(first + i), a), load(second + i), b)), set);
    store(destination + i, pixels);
    kept = vandq_u8(kept, pixels);
  }
  *every = folded(kept);
  return count;
}

static inline Four row_weights(const CKernelsRowWeight *weight) {
  return vtrn1q_u8(vreinterpretq_u8_u16((uint16x8_t)weight->even),
                   vreinterpretq_u8_u16((uint16x8_t)weight->odd));
}

intptr_t ckernels_sum_rows_wide(uint32_t *destination, const void *rows, const void *weights,
                                intptr_t row_count, intptr_t count, uint32_t mask, uint32_t *every) {
  const CKernelsRowWeight *weight = weights, *end = weight + row_count;
  const Four all = splat(0xffffffff), bits = splat(mask), none = splat(0), made = vmvnq_u8(bits);
  Sum white = product(none, none);
  if (count < 4) return 0;
  for (const CKernelsRowWeight *w = weight; w < end; w++) {
    uint32_t odd;
    __builtin_memcpy(&odd, &w->odd, sizeof odd);
    // A weight of 256, which only a single row can have, does not fit into a byte; the Swift kernel handles
    // it.
    if ((odd & 0xff00ff00) != 0) return 0;
    white = added(white, all, row_weights(w));
  }
  const Four set = vandq_u8(rounded(white), bits);
  Four kept = all;
  intptr_t i = 0;
  for (; i + 16 <= count; i += 16) {
    Sum s0 = product(none, none), s1 = s0, s2 = s0, s3 = s0;
    for (const CKernelsRowWeight *w = weight; w < end; w++) {
      const uint32_t *row = (const uint32_t *)((const char *)rows + w->byte_offset) + i;
      Four amount = row_weights(w);
      s0 = added(s0, load(row), amount);
      s1 = added(s1, load(row + 4), amount);
      s2 = added(s2, load(row + 8), amount);
      s3 = added(s3, load(row + 12), amount);
    }
    kept = vandq_u8(
        kept, store_sixteen(destination + i, rounded(s0), rounded(s1), rounded(s2), rounded(s3), made, set));
  }
  for (; i < count; i += 4) {
    if (i + 4 > count) i = count - 4;
    Sum sum = product(none, none);
    for (const CKernelsRowWeight *w = weight; w < end; w++)
      sum = added(sum, load((const char *)rows + w->byte_offset + i * 4), row_weights(w));
    Four pixels = vorrq_u8(vandq_u8(rounded(sum), made), set);
    store(destination + i, pixels);
    kept = vandq_u8(kept, pixels);
  }
  *every = folded(kept);
  return count;
}

/// Four of eight bilinear samples. `near` starts at the first sample's left pixel, `far` one pixel further
/// right. So a sample's left and right pixels have the same index in the two.
static inline Four between(uint8x16x2_t near, uint8x16x2_t far, uint32x4_t places) {
  Four bytes = vreinterpretq_u8_u32(places), weight = spread(bytes, 1);
  Four index = vorrq_u8(vshlq_n_u8(spread(bytes, 2), 2), splat(0x03020100));
  Four left = vqtbl2q_u8(near, index), right = vqtbl2q_u8(far, index);
  // left · (256 − weight) + right · weight
  Sum sum = {vshlq_n_u16(vmovl_u8(vget_low_u8(left)), 8), vshlq_n_u16(vmovl_high_u8(left), 8)};
  sum = added(sum, right, weight);
  sum.low = vmlsl_u8(sum.low, vget_low_u8(left), vget_low_u8(weight));
  sum.high = vmlsl_high_u8(sum.high, left, weight);
  return rounded(sum);
}

/// Stores eight bilinear samples of `from`. The position of each is `x` plus its entry of `steps`, in 1/65536
/// of a pixel.
static inline void eight_between(uint32_t *to, const uint32_t *from, uint32_t x, const uint32x4_t steps[2]) {
  uint8x16x2_t near = {{load(from), load(from + 4)}}, far = {{load(from + 1), load(from + 5)}};
  store(to, between(near, far, vaddq_u32(vdupq_n_u32(x), steps[0])));
  store(to + 4, between(near, far, vaddq_u32(vdupq_n_u32(x), steps[1])));
}

intptr_t ckernels_resample_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                uint32_t position, uint32_t step) {
  if (step > 65536 || count < 8) return 0;
  uint64_t last = (((uint64_t)position + (uint64_t)(count - 1) * step) >> 16) + 1;
  if (last < 8) return 0;
  const uint32x4_t ones = vdupq_n_u32(step), numbers = {0, 1, 2, 3};
  const uint32x4_t steps[2] = {vmulq_u32(ones, numbers), vmulq_u32(ones, vaddq_u32(numbers, vdupq_n_u32(4)))};
  const uint32_t end = (uint32_t)last - 8;
  intptr_t i = 0;
  uint32_t x = position;
  for (; i + 8 <= count && x >> 16 <= end; i += 8, x += 8 * step)
    eight_between(destination + i, source + (x >> 16), x & 0xffff, steps);
  // Near the end, pixels beyond the row must not be read; the vector starts further left instead.
  for (; i < count; i += 8) {
    if (i + 8 > count) i = count - 8;
    x = position + (uint32_t)i * step;
    uint32_t at = x >> 16 < end ? x >> 16 : end;
    eight_between(destination + i, source + at, x - (at << 16), steps);
  }
  return count;
}

// MARK: Rotation

intptr_t ckernels_transpose_wide(uint32_t *destination, intptr_t stride, const uint32_t *source,
                                 intptr_t source_stride, intptr_t width, intptr_t height, uint32_t mask) {
  const uint32x4_t bits = vdupq_n_u32(mask);
  // Works in bands of sixteen lines, so that the destination's cache lines stay in the cache until they are
  // full.
  for (intptr_t y = 0; y < height; y += 16)
    for (intptr_t x = 0; x < width; x += 4)
      for (intptr_t line = y; line < height && line < y + 16; line += 4) {
        const uint32_t *from = source + line * source_stride + x;
        uint32_t *to = destination + x * stride + line;
        uint32x4_t a = vld1q_u32(from), b = vld1q_u32(from + source_stride);
        uint32x4_t c = vld1q_u32(from + 2 * source_stride), d = vld1q_u32(from + 3 * source_stride);
        uint32x4_t ac0 = vzip1q_u32(a, c), ac1 = vzip2q_u32(a, c);
        uint32x4_t bd0 = vzip1q_u32(b, d), bd1 = vzip2q_u32(b, d);
        vst1q_u32(to, vorrq_u32(vzip1q_u32(ac0, bd0), bits));
        vst1q_u32(to + stride, vorrq_u32(vzip2q_u32(ac0, bd0), bits));
        vst1q_u32(to + 2 * stride, vorrq_u32(vzip1q_u32(ac1, bd1), bits));
        vst1q_u32(to + 3 * stride, vorrq_u32(vzip2q_u32(ac1, bd1), bits));
      }
  return width * height;
}
#endif

// SPDX-License-Identifier: Apache-2.0
#include "CKernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

/// Four pixels.
typedef uint8x16_t Four;

static inline Four load(const void *from) { return vld1q_u8(from); }
static inline void store(void *to, Four pixels) { vst1q_u8(to, pixels); }
static inline Four splat(uint32_t pixel) { return vreinterpretq_u8_u32(vdupq_n_u32(pixel)); }
static inline bool is_zero(Four pixels) { return vmaxvq_u32(vreinterpretq_u32_u8(pixels)) == 0; }

/// The byte `index` of each pixel in all four of its bytes.
static inline Four spread(Four pixels, uint8_t index) {
  const uint8_t a = index, b = 4 + index, c = 8 + index, d = 12 + index;
  return vqtbl1q_u8(pixels, (Four){a, a, a, a, b, b, b, b, c, c, c, c, d, d, d, d});
}

/// a·b / 255 rounded: t = a·b + 128, (t + (t >> 8)) >> 8, the 128 added by the instructions that round.
static inline Four scaled(Four a, Four b) {
  uint16x8_t low = vmull_u8(vget_low_u8(a), vget_low_u8(b)), high = vmull_high_u8(a, b);
  return vraddhn_high_u16(vraddhn_u16(low, vrshrq_n_u16(low, 8)), high, vrshrq_n_u16(high, 8));
}

/// `under` by what `source` lets through, and that.
static inline Four composed(Four source, Four under) {
  return vaddq_u8(source, scaled(under, spread(vmvnq_u8(source), 3)));
}

/// The alpha bytes of eight pixels.
static inline uint64_t alphas(Four first, Four second) {
  uint16x8_t upper = vuzp2q_u16(vreinterpretq_u16_u8(first), vreinterpretq_u16_u8(second));
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(upper, 8)), 0);
}

/// The pixels of the whole vectors of `length` pixels in a row.
static inline intptr_t whole(intptr_t count, intptr_t length) { return count > 0 ? count & -length : 0; }

intptr_t ckernels_over_wide(uint32_t *destination, const uint32_t *source, intptr_t count, uint32_t mask) {
  Four bits = splat(mask);
  for (const uint32_t *end = source + whole(count, 8); source < end; source += 8, destination += 8) {
    Four first = load(source), second = load(source + 4);
    uint64_t eight = alphas(first, second);
    if (eight == UINT64_MAX) {
      store(destination, first);
      store(destination + 4, second);
    } else if (eight != 0 || !is_zero(vorrq_u8(first, second))) {
      store(destination, vorrq_u8(composed(first, load(destination)), bits));
      store(destination + 4, vorrq_u8(composed(second, load(destination + 4)), bits));
    }
  }
  return whole(count, 8);
}

intptr_t ckernels_over_opacity_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                    uint8_t opacity, uint32_t source_mask, uint32_t mask) {
  Four source_bits = splat(source_mask), bits = splat(mask), alpha = vdupq_n_u8(opacity);
  if (source_mask == 0xff000000) {
    // One alpha for all pixels: the destination's share is the same everywhere too.
    Four rest = vmvnq_u8(alpha);
    for (const uint32_t *end = source + whole(count, 4); source < end; source += 4, destination += 4) {
      Four faded = scaled(vorrq_u8(load(source), source_bits), alpha);
      store(destination, vorrq_u8(vaddq_u8(faded, scaled(load(destination), rest)), bits));
    }
    return whole(count, 4);
  }
  for (const uint32_t *end = source + whole(count, 8); source < end; source += 8, destination += 8) {
    Four first = vorrq_u8(load(source), source_bits), second = vorrq_u8(load(source + 4), source_bits);
    if (is_zero(vorrq_u8(first, second))) continue;
    store(destination, vorrq_u8(composed(scaled(first, alpha), load(destination)), bits));
    store(destination + 4, vorrq_u8(composed(scaled(second, alpha), load(destination + 4)), bits));
  }
  return whole(count, 8);
}

/// The colour of four pixels times `light` / 256, rounded; their alpha stays.
static inline Four lit(Four pixels, uint8x8_t light) {
  uint16x8_t low = vmull_u8(vget_low_u8(pixels), light);
  uint16x8_t high = vmull_high_u8(pixels, vcombine_u8(light, light));
  Four colours = vrshrn_high_n_u16(vrshrn_n_u16(low, 8), high, 8);
  return vbslq_u8(splat(0xff000000), pixels, colours);
}

intptr_t ckernels_over_light_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                  uint8_t opacity, uint16_t light, uint32_t source_mask, uint32_t mask) {
  // Unlit colours are `ckernels_over_opacity`'s, and no byte has room for 256.
  if (light > 255) return 0;
  Four source_bits = splat(source_mask), bits = splat(mask), alpha = vdupq_n_u8(opacity);
  uint8x8_t amount = vdup_n_u8((uint8_t)light);
  if (opacity == 255 && source_mask == 0xff000000) {
    for (const uint32_t *end = source + whole(count, 4); source < end; source += 4, destination += 4)
      store(destination, lit(vorrq_u8(load(source), source_bits), amount));
    return whole(count, 4);
  }
  for (const uint32_t *end = source + whole(count, 8); source < end; source += 8, destination += 8) {
    Four first = vorrq_u8(load(source), source_bits), second = vorrq_u8(load(source + 4), source_bits);
    if (is_zero(vorrq_u8(first, second))) continue;
    // Most of a card is opaque.
    bool is_opaque = opacity == 255 && alphas(first, second) == UINT64_MAX;
    first = lit(first, amount);
    second = lit(second, amount);
    if (!is_opaque) {
      first = vorrq_u8(composed(scaled(first, alpha), load(destination)), bits);
      second = vorrq_u8(composed(scaled(second, alpha), load(destination + 4)), bits);
    }
    store(destination, first);
    store(destination + 4, second);
  }
  return whole(count, 8);
}

intptr_t ckernels_over_colour_wide(uint32_t *destination, uint32_t colour, intptr_t count, uint32_t mask) {
  Four source = splat(colour), rest = vdupq_n_u8((uint8_t)(255 - (colour >> 24))), bits = splat(mask);
  for (uint32_t *end = destination + whole(count, 4); destination < end; destination += 4)
    store(destination, vorrq_u8(vaddq_u8(source, scaled(load(destination), rest)), bits));
  return whole(count, 4);
}

/// Four pixels of a colour through the bytes of coverage at `places`.
static inline Four covered(Four under, Four source, uint8x8_t coverage, Four places, bool solid) {
  Four amount = vqtbl1q_u8(vcombine_u8(coverage, coverage), places);
  // Of an opaque colour as much is seen as it covers.
  if (solid) return vaddq_u8(scaled(source, amount), scaled(under, vmvnq_u8(amount)));
  return composed(scaled(source, amount), under);
}

intptr_t ckernels_over_coverage_wide(uint32_t *destination, uint32_t colour, const uint8_t *coverage,
                                     intptr_t count, uint32_t mask) {
  const Four near = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, far = vaddq_u8(near, vdupq_n_u8(4));
  Four source = splat(colour), bits = splat(mask);
  bool solid = colour >= 0xff000000;
  for (const uint8_t *end = coverage + whole(count, 8); coverage < end; coverage += 8, destination += 8) {
    uint8x8_t bytes = vld1_u8(coverage);
    uint64_t eight = vget_lane_u64(vreinterpret_u64_u8(bytes), 0);
    if (eight == UINT64_MAX && solid) {
      store(destination, source);
      store(destination + 4, source);
    } else if (eight != 0) {
      Four first = load(destination), second = load(destination + 4);
      first = solid ? covered(first, source, bytes, near, true) : covered(first, source, bytes, near, false);
      second = solid ? covered(second, source, bytes, far, true) : covered(second, source, bytes, far, false);
      store(destination, vorrq_u8(first, bits));
      store(destination + 4, vorrq_u8(second, bits));
    }
  }
  return whole(count, 8);
}

intptr_t ckernels_fill_wide(uint32_t *destination, uint32_t pixel, intptr_t count) {
  const Four pixels = splat(pixel);
  if (count < 4) return 0;
  intptr_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (int j = 0; j < 16; j += 4) store(destination + i + j, pixels);
  // The last overlaps the one before.
  for (; i + 4 < count; i += 4) store(destination + i, pixels);
  store(destination + count - 4, pixels);
  return count;
}

// MARK: Conversions

/// Eight pixels in two halves: blue below green, and red below what is not kept.
static inline uint16x8_t packed(uint16x8_t lower, uint16x8_t upper) {
  uint16x8_t pixels = vsriq_n_u16(vshlq_n_u16(upper, 8), lower, 5);
  return vsriq_n_u16(pixels, vshlq_n_u16(lower, 8), 11);
}

/// Bytes less their upper bits, by what is added before the cut.
static inline uint16x8_t dithered(uint16x8_t bytes, int8x16_t shifts, Four pattern) {
  Four all = vreinterpretq_u8_u16(bytes);
  return vreinterpretq_u16_u8(vaddq_u8(vsubq_u8(all, vshlq_u8(all, shifts)), pattern));
}

intptr_t ckernels_copy_565_wide(uint16_t *destination, const uint32_t *source, intptr_t count,
                                const uint32_t *dither) {
  if (dither) {
    const int8x16_t five = vdupq_n_s8(-5), six_five = vreinterpretq_s8_u16(vdupq_n_u16(0xfafb));
    uint16x8x2_t pattern = vld2q_u16((const uint16_t *)dither);
    Four lower = vreinterpretq_u8_u16(pattern.val[0]), upper = vreinterpretq_u8_u16(pattern.val[1]);
    for (const uint32_t *end = source + whole(count, 8); source < end; source += 8, destination += 8) {
      uint16x8x2_t pixels = vld2q_u16((const uint16_t *)source);
      vst1q_u16(destination,
                packed(dithered(pixels.val[0], six_five, lower), dithered(pixels.val[1], five, upper)));
    }
    return whole(count, 8);
  }
#pragma clang loop unroll_count(2)
  for (const uint32_t *end = source + whole(count, 8); source < end; source += 8, destination += 8) {
    uint16x8x2_t pixels = vld2q_u16((const uint16_t *)source);
    vst1q_u16(destination, packed(pixels.val[0], pixels.val[1]));
  }
  return whole(count, 8);
}

intptr_t ckernels_copy_2101010_wide(uint32_t *destination, const uint32_t *source, intptr_t count) {
  const uint32x4_t ones = vdupq_n_u32(0xffffffff);
  for (const uint32_t *end = source + whole(count, 4); source < end; source += 4, destination += 4) {
    uint32x4_t pixels = vld1q_u32(source);
    // From the top down, each channel and then its top bits again below what is kept.
    uint32x4_t red = vshlq_n_u32(pixels, 8), green = vshlq_n_u32(pixels, 16), blue = vshlq_n_u32(pixels, 24);
    uint32x4_t made = vsriq_n_u32(vsriq_n_u32(ones, red, 2), red, 10);
    made = vsriq_n_u32(vsriq_n_u32(made, green, 12), green, 20);
    vst1q_u32(destination, vsriq_n_u32(vsriq_n_u32(made, blue, 22), blue, 30));
  }
  return whole(count, 4);
}

// MARK: The flap

/// The sums of four pixels: sixteen bits each hold them, for weights add up to 256 at most.
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

/// The bits that all four pixels have.
static inline uint32_t folded(Four pixels) {
  uint64x2_t pairs = vreinterpretq_u64_u8(pixels);
  uint64_t both = vgetq_lane_u64(pairs, 0) & vgetq_lane_u64(pairs, 1);
  return (uint32_t)(both & (both >> 32));
}

/// The weights of a pixel's bytes.
static inline Four byte_weights(uint32_t odd) { return splat((odd & 0xff) * 0x010101 | (odd >> 16) << 24); }

intptr_t ckernels_sum_two_wide(uint32_t *destination, const uint32_t *first, uint32_t first_odd,
                               const uint32_t *second, uint32_t second_odd, intptr_t count, uint32_t mask,
                               uint32_t *every) {
  // No byte has room for a weight of 256: such a row, which is all there is, is taken by 255 and by 1.
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
  // The bytes that the mask sets are those of pixels with all bits set.
  const Four set = vandq_u8(rounded(added(product(all, a), all, b)), bits);
  a = vbicq_u8(a, bits);
  b = vbicq_u8(b, bits);
  Four kept = all;
  intptr_t i = 0;
  for (; i + 8 <= count; i += 8) {
    Four near = rounded(added(product(load(first + i), a), load(second + i), b));
    Four far = rounded(added(product(load(first + i + 4), a), load(second + i + 4), b));
    near = vorrq_u8(near, set);
    far = vorrq_u8(far, set);
    store(destination + i, near);
    store(destination + i + 4, far);
    kept = vandq_u8(kept, vandq_u8(near, far));
  }
  for (; i < count; i += 4) {
    // The last overlaps the one before.
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
  const CKernelsRowWeight *weight = weights;
  const Four all = splat(0xffffffff), bits = splat(mask), none = splat(0);
  Sum sum = product(none, none);
  if (count < 4) return 0;
  for (intptr_t k = 0; k < row_count; k++) {
    // Only where it is the one row.
    if (weight[k].odd[0] > 255 || weight[k].odd[1] > 255) return 0;
    sum = added(sum, all, row_weights(weight + k));
  }
  const Four set = rounded(sum);
  Four kept = all;
  intptr_t i = 0;
  for (; i + 16 <= count; i += 16) {
    Sum sums[4] = {product(none, none), product(none, none), product(none, none), product(none, none)};
    for (intptr_t k = 0; k < row_count; k++) {
      const uint32_t *row = (const uint32_t *)((const char *)rows + weight[k].byte_offset) + i;
      Four amount = row_weights(weight + k);
      for (int j = 0; j < 4; j++) sums[j] = added(sums[j], load(row + 4 * j), amount);
    }
    for (int j = 0; j < 4; j++) {
      Four pixels = vbslq_u8(bits, set, rounded(sums[j]));
      store(destination + i + 4 * j, pixels);
      kept = vandq_u8(kept, pixels);
    }
  }
  for (; i < count; i += 4) {
    if (i + 4 > count) i = count - 4;
    sum = product(none, none);
    for (intptr_t k = 0; k < row_count; k++)
      sum = added(sum, load((const char *)rows + weight[k].byte_offset + i * 4), row_weights(weight + k));
    Four pixels = vbslq_u8(bits, set, rounded(sum));
    store(destination + i, pixels);
    kept = vandq_u8(kept, pixels);
  }
  *every = folded(kept);
  return count;
}

/// Four places from `x` on, in 1/65536 of a pixel from `from`: five pixels have the left and the right ones of
/// all between them.
static inline Four between(const uint32_t *from, uint32_t x, uint32x4_t steps) {
  Four places = vreinterpretq_u8_u32(vaddq_u32(vdupq_n_u32(x), steps));
  Four index = vorrq_u8(vshlq_n_u8(spread(places, 2), 2), splat(0x03020100)), weight = spread(places, 1);
  Four left = vqtbl1q_u8(load(from), index), right = vqtbl1q_u8(load(from + 1), index);
  // left · (256 − weight) + right · weight
  Sum sum = {vshlq_n_u16(vmovl_u8(vget_low_u8(left)), 8), vshlq_n_u16(vmovl_high_u8(left), 8)};
  sum = added(sum, right, weight);
  sum.low = vmlsl_u8(sum.low, vget_low_u8(left), vget_low_u8(weight));
  sum.high = vmlsl_high_u8(sum.high, left, weight);
  return rounded(sum);
}

intptr_t ckernels_resample_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                uint32_t position, uint32_t step) {
  if (step > 65536 || count < 4) return 0;
  uint64_t last = (((uint64_t)position + (uint64_t)(count - 1) * step) >> 16) + 1;
  if (last < 4) return 0;
  const uint32x4_t steps = vmulq_n_u32((uint32x4_t){0, 1, 2, 3}, step);
  const uint32_t end = (uint32_t)last - 4;
  intptr_t i = 0;
  uint32_t x = position;
  for (; i + 4 <= count && x >> 16 <= end; i += 4, x += 4 * step)
    store(destination + i, between(source + (x >> 16), x & 0xffff, steps));
  // Towards the end no pixel may be read that is not there, but there are enough to the left of it.
  for (; i < count; i += 4) {
    if (i + 4 > count) i = count - 4;
    x = position + (uint32_t)i * step;
    uint32_t at = x >> 16 < end ? x >> 16 : end;
    store(destination + i, between(source + at, x - (at << 16), steps));
  }
  return count;
}

// MARK: Rotation

intptr_t ckernels_transpose_wide(uint32_t *destination, intptr_t stride, const uint32_t *source,
                                 intptr_t source_stride, intptr_t width, intptr_t height, uint32_t mask) {
  const uint32x4_t bits = vdupq_n_u32(mask);
  // In bands of sixteen lines: of every line that is written to, as much as the cache holds together.
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

// SPDX-License-Identifier: Apache-2.0
#include "NEON.h"

#if defined(__aarch64__)
static inline bool is_zero(Four pixels) { return vmaxvq_u32(vreinterpretq_u32_u8(pixels)) == 0; }

/// a·b / 255 rounded: t = a·b + 128, (t + (t >> 8)) >> 8; the rounding instructions add the 128.
static inline Four scaled(Four a, Four b) {
  uint16x8_t low = vmull_u8(vget_low_u8(a), vget_low_u8(b)), high = vmull_high_u8(a, b);
  return vraddhn_high_u16(vraddhn_u16(low, vrshrq_n_u16(low, 8)), high, vrshrq_n_u16(high, 8));
}

/// Keeps the pixels in one register: otherwise the compiler processes their halves separately and joins them
/// again.
static inline Four joined(Four pixels) {
  __asm__("" : "+w"(pixels));
  return pixels;
}

/// `source` over `under`.
static inline Four composed(Four source, Four under) {
  return vaddq_u8(source, scaled(under, spread(vmvnq_u8(source), 3)));
}

/// The alpha bytes of eight pixels.
static inline uint64_t alphas(Four first, Four second) {
  uint16x8_t upper = vuzp2q_u16(vreinterpretq_u16_u8(first), vreinterpretq_u16_u8(second));
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(upper, 8)), 0);
}

/// The number of pixels of a row that are in whole vectors of `length` pixels.
static inline intptr_t whole(intptr_t count, intptr_t length) { return count > 0 ? count & -length : 0; }

intptr_t ckernels_over_wide(uint32_t *destination, const uint32_t *source, intptr_t count, uint32_t mask) {
  Four bits = splat(mask);
  for (const uint32_t *end = source + whole(count, 8); source < end; source += 8, destination += 8) {
    Four first = load(source), second = load(source + 4);
    uint64_t eight = alphas(first, second);
    if (__builtin_expect(eight == 0, false)) {
      if (is_zero(vorrq_u8(first, second))) continue;
    } else if (__builtin_expect(eight == UINT64_MAX, false)) {
      store(destination, first);
      store(destination + 4, second);
      continue;
    }
    store(destination, vorrq_u8(composed(first, load(destination)), bits));
    store(destination + 4, vorrq_u8(composed(second, load(destination + 4)), bits));
  }
  return whole(count, 8);
}

intptr_t ckernels_over_opacity_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                    uint8_t opacity, uint32_t source_mask, uint32_t mask) {
  Four source_bits = splat(source_mask), bits = splat(mask), alpha = vdupq_n_u8(opacity);
  if (source_mask == 0xff000000) {
    // All pixels have the same alpha, so the destination's weight is constant too.
    Four rest = vmvnq_u8(alpha);
    for (const uint32_t *end = source + whole(count, 4); source < end; source += 4, destination += 4) {
      Four faded = joined(scaled(vorrq_u8(load(source), source_bits), alpha));
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

/// Multiplies the colour of four pixels by `light` / 256, rounded; their alpha is unchanged.
static inline Four lit(Four pixels, uint8x8_t light) {
  uint16x8_t low = vmull_u8(vget_low_u8(pixels), light);
  uint16x8_t high = vmull_high_u8(pixels, vcombine_u8(light, light));
  Four colours = vrshrn_high_n_u16(vrshrn_n_u16(low, 8), high, 8);
  return vbslq_u8(splat(0xff000000), pixels, colours);
}

intptr_t ckernels_over_light_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                  uint8_t opacity, uint16_t light, uint32_t source_mask, uint32_t mask) {
  // A light of 256 does not fit into a byte. The Swift kernel handles it by composing without a light.
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

/// Composes a colour, multiplied by the coverage. With an opaque colour (`solid`), the alpha of the product
/// is the coverage.
__attribute__((always_inline)) static inline void through(uint32_t *destination, Four source,
                                                          const uint8_t *coverage, const uint8_t *end,
                                                          Four bits, bool solid) {
  const Four near = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, far = vaddq_u8(near, vdupq_n_u8(4));
  for (; coverage < end; coverage += 8, destination += 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, coverage, sizeof eight);
    if (solid && eight == UINT64_MAX) {
      store(destination, source);
      store(destination + 4, source);
    } else if (eight != 0) {
      Four bytes = vreinterpretq_u8_u64(vdupq_n_u64(eight));
      Four first = vqtbl1q_u8(bytes, near), second = vqtbl1q_u8(bytes, far);
      Four faded = joined(scaled(source, first));
      Four rest = solid ? vmvnq_u8(first) : spread(vmvnq_u8(faded), 3);
      store(destination, vorrq_u8(vaddq_u8(faded, scaled(load(destination), rest)), bits));
      faded = joined(scaled(source, second));
      rest = solid ? vmvnq_u8(second) : spread(vmvnq_u8(faded), 3);
      store(destination + 4, vorrq_u8(vaddq_u8(faded, scaled(load(destination + 4), rest)), bits));
    }
  }
}

intptr_t ckernels_over_coverage_wide(uint32_t *destination, uint32_t colour, const uint8_t *coverage,
                                     intptr_t count, uint32_t mask) {
  const uint8_t *end = coverage + whole(count, 8);
  if (colour >= 0xff000000)
    through(destination, splat(colour), coverage, end, splat(mask), true);
  else
    through(destination, splat(colour), coverage, end, splat(mask), false);
  return whole(count, 8);
}

intptr_t ckernels_fill_wide(uint32_t *destination, uint32_t pixel, intptr_t count) {
  const Four pixels = splat(pixel);
  if (count < 4) return 0;
  intptr_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (int j = 0; j < 16; j += 4) store(destination + i + j, pixels);
  // The last vector overlaps the previous one.
  for (; i + 4 < count; i += 4) store(destination + i, pixels);
  store(destination + count - 4, pixels);
  return count;
}

// MARK: Conversions

/// Converts eight pixels to RGB565. `lower` has their lower halves, blue below green; `upper` has their upper
/// halves, red below the unused byte.
static inline uint16x8_t packed(uint16x8_t lower, uint16x8_t upper) {
  uint16x8_t pixels = vsriq_n_u16(vshlq_n_u16(upper, 8), lower, 5);
  return vsriq_n_u16(pixels, vshlq_n_u16(lower, 8), 11);
}

/// Subtracts from each byte the same byte shifted by `shifts` (negative: right), and adds the dither pattern.
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
    // Inserts, from the top bits downwards, each channel and then its top bits again.
    uint32x4_t red = vshlq_n_u32(pixels, 8), green = vshlq_n_u32(pixels, 16), blue = vshlq_n_u32(pixels, 24);
    uint32x4_t made = vsriq_n_u32(vsriq_n_u32(ones, red, 2), red, 10);
    made = vsriq_n_u32(vsriq_n_u32(made, green, 12), green, 20);
    vst1q_u32(destination, vsriq_n_u32(vsriq_n_u32(made, blue, 22), blue, 30));
  }
  return whole(count, 4);
}
#endif

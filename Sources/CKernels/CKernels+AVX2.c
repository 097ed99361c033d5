// SPDX-License-Identifier: Apache-2.0
#include "CKernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define WIDE __attribute__((target("avx2")))

typedef __m256i Lanes;

WIDE static inline Lanes load(const void *from) { return _mm256_loadu_si256(from); }
WIDE static inline void store(void *to, Lanes pixels) { _mm256_storeu_si256(to, pixels); }
WIDE static inline Lanes splat(uint32_t pixel) { return _mm256_set1_epi32((int)pixel); }
WIDE static inline Lanes both(uint16_t lane) { return _mm256_set1_epi16((short)lane); }
WIDE static inline Lanes even(Lanes pixels) { return _mm256_and_si256(pixels, both(0xff)); }
WIDE static inline Lanes odd(Lanes pixels) { return _mm256_srli_epi16(pixels, 8); }
WIDE static inline Lanes join(Lanes even, Lanes odd) {
  return _mm256_or_si256(even, _mm256_slli_epi16(odd, 8));
}

// Functions for the pixels that remain after the whole vectors, fewer than eight.

static const int32_t some[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

WIDE static inline Lanes first_pixels(intptr_t count) { return load(some + 8 - count); }
WIDE static inline Lanes load_some(const uint32_t *from, Lanes which) {
  return _mm256_maskload_epi32((const int *)from, which);
}
WIDE static inline void store_some(uint32_t *to, Lanes which, Lanes pixels) {
  _mm256_maskstore_epi32((int *)to, which, pixels);
}

/// Whether a row is wide enough to prefetch. `prefetch` loads the cache line 2 KiB ahead, which makes a
/// kernel a tenth faster if the row is not in a cache.
WIDE static inline bool is_wide(intptr_t count) { return count >= 1024; }
WIDE static inline void prefetch(const void *line) { __builtin_prefetch((const char *)line + 2048, 0, 3); }

/// a·b / 255 rounded.
WIDE static inline Lanes scaled(Lanes a, Lanes b) {
  Lanes t = _mm256_add_epi16(_mm256_mullo_epi16(a, b), both(128));
  return _mm256_mulhi_epu16(t, both(257));
}

/// Byte `index` of each pixel, in both 16-bit lanes of the pixel.
WIDE static inline Lanes spread(Lanes pixels, int index) {
  const char none = -1;
  const char a = (char)index, b = (char)(4 + index), c = (char)(8 + index), d = (char)(12 + index);
  return _mm256_shuffle_epi8(
      pixels, _mm256_setr_epi8(a, none, a, none, b, none, b, none, c, none, c, none, d, none, d, none, a,
                               none, a, none, b, none, b, none, c, none, c, none, d, none, d, none));
}

WIDE static inline Lanes composed(Lanes source, Lanes destination) {
  Lanes rest = _mm256_xor_si256(spread(source, 3), both(0xff));
  return _mm256_add_epi8(source, join(scaled(even(destination), rest), scaled(odd(destination), rest)));
}

WIDE intptr_t ckernels_over_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                 uint32_t mask) {
  Lanes bits = splat(mask), opaque = splat(0xff000000);
  intptr_t i = 0;
  bool wide = is_wide(count);
  for (; i + 8 <= count; i += 8) {
    if (wide) {
      prefetch(source + i);
      prefetch(destination + i);
    }
    Lanes pixels = load(source + i);
    if (_mm256_testc_si256(pixels, opaque)) {
      store(destination + i, pixels);
    } else if (!_mm256_testz_si256(pixels, pixels)) {
      store(destination + i, _mm256_or_si256(composed(pixels, load(destination + i)), bits));
    }
  }
  if (i >= count) return i;
  Lanes which = first_pixels(count - i);
  Lanes pixels = composed(load_some(source + i, which), load_some(destination + i, which));
  store_some(destination + i, which, _mm256_or_si256(pixels, bits));
  return count;
}

WIDE intptr_t ckernels_over_opacity_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                         uint8_t opacity, uint32_t source_mask, uint32_t mask) {
  Lanes source_bits = splat(source_mask), bits = splat(mask), alpha = both(opacity);
  intptr_t i = 0;
  if (source_mask == 0xff000000) {
    // All pixels have the same alpha, so the destination's weight is constant too.
    Lanes rest = both((uint16_t)(255 - opacity));
    for (; i + 8 <= count; i += 8) {
      Lanes pixels = _mm256_or_si256(load(source + i), source_bits), under = load(destination + i);
      Lanes evens = _mm256_add_epi16(scaled(even(pixels), alpha), scaled(even(under), rest));
      Lanes odds = _mm256_add_epi16(scaled(odd(pixels), alpha), scaled(odd(under), rest));
      store(destination + i, _mm256_or_si256(join(evens, odds), bits));
    }
    return i;
  }
  for (; i + 8 <= count; i += 8) {
    Lanes pixels = _mm256_or_si256(load(source + i), source_bits);
    if (_mm256_testz_si256(pixels, pixels)) continue;
    Lanes faded = join(scaled(even(pixels), alpha), scaled(odd(pixels), alpha));
    store(destination + i, _mm256_or_si256(composed(faded, load(destination + i)), bits));
  }
  return i;
}

WIDE intptr_t ckernels_over_light_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                       uint8_t opacity, uint16_t light, uint32_t source_mask,
                                       uint32_t mask) {
  Lanes source_bits = splat(source_mask), bits = splat(mask), alpha = both(opacity), half = both(128);
  Lanes even_light = both(light), odd_light = splat(256u << 16 | light), opaque = splat(0xff000000);
  intptr_t i = 0;
  for (; i < count; i += 8) {
    Lanes which = count - i < 8 ? first_pixels(count - i) : both(0xffff);
    Lanes pixels = count - i < 8 ? load_some(source + i, which) : load(source + i);
    pixels = _mm256_or_si256(pixels, source_bits);
    if (_mm256_testz_si256(pixels, pixels)) continue;
    Lanes evens = _mm256_add_epi16(_mm256_mullo_epi16(even(pixels), even_light), half);
    Lanes odds = _mm256_add_epi16(_mm256_mullo_epi16(odd(pixels), odd_light), half);
    evens = _mm256_srli_epi16(evens, 8);
    if (opacity == 255) {
      Lanes lit = _mm256_or_si256(evens, _mm256_and_si256(odds, both(0xff00)));
      // Most of a card is opaque.
      if (count - i >= 8 && _mm256_testc_si256(pixels, opaque)) {
        store(destination + i, lit);
      } else {
        Lanes pixels = composed(lit, load_some(destination + i, which));
        store_some(destination + i, which, _mm256_or_si256(pixels, bits));
      }
    } else {
      Lanes faded = join(scaled(evens, alpha), scaled(_mm256_srli_epi16(odds, 8), alpha));
      Lanes pixels = composed(faded, load_some(destination + i, which));
      store_some(destination + i, which, _mm256_or_si256(pixels, bits));
    }
  }
  return count;
}

WIDE intptr_t ckernels_over_colour_wide(uint32_t *destination, uint32_t colour, intptr_t count,
                                        uint32_t mask) {
  Lanes source = splat(colour), rest = both((uint16_t)(255 - (colour >> 24))), bits = splat(mask);
  intptr_t i = 0;
  for (; i + 8 <= count; i += 8) {
    Lanes pixels = load(destination + i);
    Lanes under = join(scaled(even(pixels), rest), scaled(odd(pixels), rest));
    store(destination + i, _mm256_or_si256(_mm256_add_epi8(source, under), bits));
  }
  return i;
}

WIDE intptr_t ckernels_over_coverage_wide(uint32_t *destination, uint32_t colour, const uint8_t *coverage,
                                          intptr_t count, uint32_t mask) {
  Lanes source = splat(colour), bits = splat(mask);
  Lanes even_source = even(source), odd_source = odd(source);
  bool solid = colour >= 0xff000000;
  intptr_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, coverage + i, sizeof eight);
    if (eight == UINT64_MAX && solid) {
      store(destination + i, source);
    } else if (eight != 0) {
      Lanes amount = spread(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)eight)), 0);
      Lanes faded = join(scaled(even_source, amount), scaled(odd_source, amount));
      store(destination + i, _mm256_or_si256(composed(faded, load(destination + i)), bits));
    }
  }
  return i;
}

WIDE intptr_t ckernels_fill_wide(uint32_t *destination, uint32_t pixel, intptr_t count) {
  Lanes pixels = splat(pixel);
  intptr_t i = 0;
  bool wide = is_wide(count);
  for (; i + 32 <= count; i += 32) {
    if (wide) {
      prefetch(destination + i);
      prefetch(destination + i + 16);
    }
    store(destination + i, pixels);
    store(destination + i + 8, pixels);
    store(destination + i + 16, pixels);
    store(destination + i + 24, pixels);
  }
  for (; i + 8 <= count; i += 8) store(destination + i, pixels);
  if (i >= count) return i;
  store_some(destination + i, first_pixels(count - i), pixels);
  return count;
}

// MARK: Conversions

/// Converts to RGB565, each pixel in the lower half of its 32-bit lane.
WIDE static inline Lanes packed(Lanes p) {
  Lanes red = _mm256_and_si256(_mm256_srli_epi32(p, 8), splat(0xf800));
  Lanes green = _mm256_and_si256(_mm256_srli_epi32(p, 5), splat(0x07e0));
  Lanes blue = _mm256_and_si256(_mm256_srli_epi32(p, 3), splat(0x001f));
  return _mm256_or_si256(_mm256_or_si256(red, green), blue);
}

WIDE static inline Lanes dithered(Lanes p, Lanes pattern) {
  Lanes five = _mm256_and_si256(_mm256_srli_epi32(p, 5), splat(0x00070007));
  Lanes six = _mm256_and_si256(_mm256_srli_epi32(p, 6), splat(0x00000300));
  return _mm256_add_epi32(_mm256_sub_epi32(p, _mm256_or_si256(five, six)), pattern);
}

WIDE static inline void store_packed(uint16_t *to, Lanes first, Lanes second) {
  store(to, _mm256_permute4x64_epi64(_mm256_packus_epi32(packed(first), packed(second)), 0xd8));
}

WIDE intptr_t ckernels_copy_565_wide(uint16_t *destination, const uint32_t *source, intptr_t count,
                                     const uint32_t *dither) {
  intptr_t i = 0;
  if (dither) {
    Lanes pattern = load(dither);
    for (; i + 16 <= count; i += 16)
      store_packed(destination + i, dithered(load(source + i), pattern),
                   dithered(load(source + i + 8), pattern));
    return i;
  }
  bool wide = is_wide(count);
  for (; i + 16 <= count; i += 16) {
    if (wide) prefetch(source + i);
    store_packed(destination + i, load(source + i), load(source + i + 8));
  }
  return i;
}

WIDE intptr_t ckernels_copy_2101010_wide(uint32_t *destination, const uint32_t *source, intptr_t count) {
  intptr_t i = 0;
  for (; i + 8 <= count; i += 8) {
    Lanes p = load(source + i);
    Lanes red = _mm256_and_si256(p, splat(0x00ff0000));
    Lanes green = _mm256_and_si256(p, splat(0x0000ff00));
    Lanes blue = _mm256_and_si256(p, splat(0x000000ff));
    Lanes high = _mm256_or_si256(
        _mm256_or_si256(_mm256_slli_epi32(red, 6), _mm256_slli_epi32(green, 4)), _mm256_slli_epi32(blue, 2));
    Lanes low = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(red, 2), splat(0x00300000)),
                        _mm256_and_si256(_mm256_srli_epi32(green, 4), splat(0x00000c00))),
        _mm256_srli_epi32(blue, 6));
    store(destination + i, _mm256_or_si256(_mm256_or_si256(high, low), splat(0xc0000000)));
  }
  return i;
}

// MARK: The flap

/// The bits that are set in all eight pixels.
WIDE static inline uint32_t folded(Lanes pixels) {
  __m128i four = _mm_and_si128(_mm256_castsi256_si128(pixels), _mm256_extracti128_si256(pixels, 1));
  four = _mm_and_si128(four, _mm_shuffle_epi32(four, 0x4e));
  four = _mm_and_si128(four, _mm_shuffle_epi32(four, 0xb1));
  return (uint32_t)_mm_cvtsi128_si32(four);
}

WIDE static inline Lanes rounded(Lanes evens, Lanes odds) {
  return _mm256_or_si256(_mm256_srli_epi16(evens, 8), _mm256_and_si256(odds, both(0xff00)));
}

WIDE static inline Lanes added(Lanes sum, Lanes lanes, Lanes weight) {
  return _mm256_add_epi16(sum, _mm256_mullo_epi16(lanes, weight));
}

/// The bits to set in the pixels of two rows, and the weights of rows a and b for the even and the odd bytes.
typedef struct {
  Lanes bits, even_a, odd_a, even_b, odd_b;
} TwoRows;

WIDE static inline Lanes sum_two(Lanes a, Lanes b, const TwoRows *rows, Lanes *odds) {
  Lanes half = both(128);
  a = _mm256_or_si256(a, rows->bits);
  b = _mm256_or_si256(b, rows->bits);
  *odds = added(added(half, odd(a), rows->odd_a), odd(b), rows->odd_b);
  return rounded(added(added(half, even(a), rows->even_a), even(b), rows->even_b), *odds);
}

WIDE intptr_t ckernels_sum_two_wide(uint32_t *destination, const uint32_t *first, uint32_t first_odd,
                                    const uint32_t *second, uint32_t second_odd, intptr_t count,
                                    uint32_t mask, uint32_t *every) {
  TwoRows rows = {splat(mask), both((uint16_t)first_odd), splat(first_odd), both((uint16_t)second_odd),
                  splat(second_odd)};
  Lanes odds, all = both(0xffff);
  if (count < 8) {
    Lanes which = first_pixels(count > 0 ? count : 0);
    Lanes pixels = sum_two(load_some(first, which), load_some(second, which), &rows, &odds);
    store_some(destination, which, pixels);
    *every = folded(_mm256_or_si256(odds, _mm256_xor_si256(which, all)));
    return count > 0 ? count : 0;
  }
  for (intptr_t i = 0; i + 8 <= count; i += 8) {
    store(destination + i, sum_two(load(first + i), load(second + i), &rows, &odds));
    all = _mm256_and_si256(all, odds);
  }
  if (count & 7) {
    // The last vector overlaps the previous one, because reading back what a masked store wrote would be
    // slow.
    intptr_t i = count - 8;
    store(destination + i, sum_two(load(first + i), load(second + i), &rows, &odds));
    all = _mm256_and_si256(all, odds);
  }
  *every = folded(all);
  return count;
}

WIDE intptr_t ckernels_sum_rows_wide(uint32_t *destination, const void *rows, const void *weights,
                                     intptr_t row_count, intptr_t count, uint32_t mask, uint32_t *every) {
  const CKernelsRowWeight *weight = weights;
  Lanes bits = splat(mask), half = both(128), all = both(0xffff);
  intptr_t i = 0;
  for (; i + 16 <= count; i += 16) {
    Lanes even0 = half, odd0 = half, even1 = half, odd1 = half;
    for (intptr_t k = 0; k < row_count; k++) {
      const uint32_t *row = (const uint32_t *)((const char *)rows + weight[k].byte_offset) + i;
      Lanes pixels0 = _mm256_or_si256(load(row), bits), pixels1 = _mm256_or_si256(load(row + 8), bits);
      Lanes colour = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)&weight[k].even));
      Lanes alpha = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)&weight[k].odd));
      even0 = added(even0, even(pixels0), colour);
      odd0 = added(odd0, odd(pixels0), alpha);
      even1 = added(even1, even(pixels1), colour);
      odd1 = added(odd1, odd(pixels1), alpha);
    }
    store(destination + i, rounded(even0, odd0));
    store(destination + i + 8, rounded(even1, odd1));
    all = _mm256_and_si256(all, _mm256_and_si256(odd0, odd1));
  }
  for (; i < count; i += 8) {
    if (i + 8 > count && count >= 8) i = count - 8;
    Lanes which = count < 8 ? first_pixels(count) : both(0xffff);
    Lanes evens = half, odds = half;
    for (intptr_t k = 0; k < row_count; k++) {
      const uint32_t *row = (const uint32_t *)((const char *)rows + weight[k].byte_offset) + i;
      Lanes pixels = _mm256_or_si256(count < 8 ? load_some(row, which) : load(row), bits);
      Lanes colour = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)&weight[k].even));
      Lanes alpha = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)&weight[k].odd));
      evens = added(evens, even(pixels), colour);
      odds = added(odds, odd(pixels), alpha);
    }
    if (count < 8)
      store_some(destination, which, rounded(evens, odds));
    else
      store(destination + i, rounded(evens, odds));
    all = _mm256_and_si256(all, _mm256_or_si256(odds, _mm256_xor_si256(which, both(0xffff))));
  }
  i = i < count ? i : count > 0 ? count : 0;
  *every = folded(all);
  return i;
}

/// Eight bilinear samples. `near` holds eight pixels, starting at the first sample's left pixel; `far` starts
/// one pixel further right. So a sample's left and right pixels have the same index in the two.
WIDE static inline Lanes between(Lanes near, Lanes far, Lanes places) {
  Lanes index = _mm256_srli_epi32(places, 16);
  Lanes left = _mm256_permutevar8x32_epi32(near, index);
  Lanes right = _mm256_permutevar8x32_epi32(far, index);
  // left + (right − left) · weight / 256: (a · (b << 7) + 2¹⁴) >> 15 is a · b / 256 rounded.
  Lanes weight = _mm256_slli_epi16(spread(places, 1), 7);
  Lanes evens = _mm256_mulhrs_epi16(_mm256_sub_epi16(even(right), even(left)), weight);
  Lanes odds = _mm256_mulhrs_epi16(_mm256_sub_epi16(odd(right), odd(left)), weight);
  // A difference may be negative. The bytes are added modulo 256, and every result is a valid channel value.
  return _mm256_add_epi8(left, join(even(evens), odds));
}

WIDE intptr_t ckernels_resample_wide(uint32_t *destination, const uint32_t *source, intptr_t count,
                                     uint32_t position, uint32_t step) {
  if (step > 65536 || step == 0 || count <= 0) return 0;
  uint64_t last = (((uint64_t)position + (uint64_t)(count - 1) * step) >> 16) + 1;
  Lanes steps = _mm256_mullo_epi32(splat(step), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  uint64_t x = position;
  intptr_t i = 0;
  if (count >= 8 && last >= 8) {
    // Continues while there are eight pixels to write and nine to read.
    uint64_t made = position + (uint64_t)(count - 8) * step, read = (last - 8) << 16 | 0xffff;
    uint64_t end = made < read ? made : read;
    for (; x <= end; i += 8, x += 8 * (uint64_t)step) {
      const uint32_t *from = source + (x >> 16);
      Lanes places = _mm256_add_epi32(splat(x & 0xffff), steps);
      store(destination + i, between(load(from), load(from + 1), places));
    }
  }
  // Near the end, pixels beyond the row must not be read.
  for (; i < count; i += 8) {
    if (i + 8 > count && count >= 8) i = count - 8;
    x = position + (uint64_t)i * step;
    uint64_t at = x >> 16;
    Lanes places = _mm256_add_epi32(splat(x & 0xffff), steps);
    Lanes there = first_pixels(last - at < 8 ? (intptr_t)(last - at) : 8);
    Lanes pixels = between(load_some(source + at, there), load_some(source + at + 1, there), places);
    if (count < 8)
      store_some(destination, first_pixels(count), pixels);
    else
      store(destination + i, pixels);
  }
  return count;
}

// MARK: Rotation

WIDE static inline void turn(uint32_t *to, intptr_t stride, const uint32_t *from, intptr_t source_stride,
                             Lanes bits) {
  Lanes r[8], t[8];
  // Load the lines k and k + 4 into the halves of one register, so that the halves need not be exchanged.
  for (int k = 0; k < 4; k++) {
    const uint32_t *upper = from + k * source_stride, *lower = upper + 4 * source_stride;
    r[k] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)upper)),
                                   _mm_loadu_si128((const __m128i *)lower), 1);
    r[k + 4] = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(upper + 4))),
        _mm_loadu_si128((const __m128i *)(lower + 4)), 1);
  }
  for (int h = 0; h < 8; h += 4) {
    t[h] = _mm256_unpacklo_epi32(r[h], r[h + 1]);
    t[h + 1] = _mm256_unpackhi_epi32(r[h], r[h + 1]);
    t[h + 2] = _mm256_unpacklo_epi32(r[h + 2], r[h + 3]);
    t[h + 3] = _mm256_unpackhi_epi32(r[h + 2], r[h + 3]);
    store(to + h * stride, _mm256_or_si256(_mm256_unpacklo_epi64(t[h], t[h + 2]), bits));
    store(to + (h + 1) * stride, _mm256_or_si256(_mm256_unpackhi_epi64(t[h], t[h + 2]), bits));
    store(to + (h + 2) * stride, _mm256_or_si256(_mm256_unpacklo_epi64(t[h + 1], t[h + 3]), bits));
    store(to + (h + 3) * stride, _mm256_or_si256(_mm256_unpackhi_epi64(t[h + 1], t[h + 3]), bits));
  }
}

WIDE intptr_t ckernels_transpose_wide(uint32_t *destination, intptr_t stride, const uint32_t *source,
                                      intptr_t source_stride, intptr_t width, intptr_t height,
                                      uint32_t mask) {
  Lanes bits = splat(mask);
  // Works in bands of sixteen lines, so that the destination's cache lines stay in the cache until they are
  // full.
  for (intptr_t y = 0; y < height; y += 16)
    for (intptr_t x = 0; x < width; x += 8)
      for (intptr_t line = y; line < height && line < y + 16; line += 8)
        turn(destination + x * stride + line, stride, source + line * source_stride + x, source_stride, bits);
  return width * height;
}
#endif

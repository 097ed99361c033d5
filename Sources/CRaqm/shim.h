// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fribidi.h>
#include <hb.h>
#include <raqm.h>

/// The ISO 15924 code of a scalar's script as four bytes, e.g. 'Arab'; 'Zyyy' for characters of several
/// scripts.
static inline uint32_t flipclock_script(uint32_t scalar) {
  return hb_script_to_iso15924_tag(hb_unicode_script(hb_unicode_funcs_get_default(), scalar));
}

/// Puts a line of scalars into the order in which it is shown. `shown` has room for one more than `count`.
/// Returns 0 if memory is exhausted.
static inline int flipclock_visual_order(
    const uint32_t *scalars, int count, uint32_t *shown, FriBidiStrIndex *positions) {
  FriBidiParType direction = FRIBIDI_PAR_ON;
  return fribidi_log2vis(scalars, count, &direction, shown, positions, NULL, NULL) != 0;
}

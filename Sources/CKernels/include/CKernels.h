// SPDX-License-Identifier: Apache-2.0
// The one vector operation of the pixel kernels that Swift has no name for.
#pragma once

#include <stdint.h>

typedef uint16_t CKernelsLanes __attribute__((ext_vector_type(8)));
typedef uint32_t CKernelsWideLanes __attribute__((ext_vector_type(8)));

/// The upper halves of the eight 32-bit products: `pmulhuw` on x86-64.
static inline CKernelsLanes ckernels_high_products(CKernelsLanes a, CKernelsLanes b) {
  CKernelsWideLanes product = __builtin_convertvector(a, CKernelsWideLanes) *
                              __builtin_convertvector(b, CKernelsWideLanes);
  return __builtin_convertvector(product >> 16, CKernelsLanes);
}

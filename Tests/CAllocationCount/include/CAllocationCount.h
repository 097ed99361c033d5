// SPDX-License-Identifier: Apache-2.0
// Counts a thread's heap allocations.
//
// The test programs define their own malloc() and related functions, which replace those of the C library for
// everything loaded into the process. They count if the calling thread has enabled it, and call the library's
// functions.

#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

#include <stdint.h>

/// Starts counting the calling thread's allocations, from zero.
void allocation_count_begin(void);

/// Stops counting and returns the number of allocations: malloc, calloc, realloc, memalign, aligned_alloc,
/// posix_memalign, valloc, reallocarray. Frees are not counted.
uint64_t allocation_count_end(void);

/// Returns whether this build can count allocations. It cannot with AddressSanitizer or another C library,
/// for example.
int allocation_count_is_possible(void);

/// Prints stack traces of the next counted allocations, at most `allocations`, to standard error.
void allocation_count_trace(int allocations);

#endif

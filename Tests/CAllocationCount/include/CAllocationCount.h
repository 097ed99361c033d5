// SPDX-License-Identifier: Apache-2.0
// Counts what a thread asks of the heap.
//
// The test programs' own malloc and its relatives stand before those of the C library, for all that is loaded
// into the process: they count, where the calling thread has asked for it, and hand on to the library's.

#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

#include <stdint.h>

/// Begins to count the calling thread's allocations, from zero.
void allocation_count_begin(void);

/// Ends it, and returns how many there were: malloc, calloc, realloc, memalign, aligned_alloc, posix_memalign,
/// valloc, reallocarray. What is freed does not count.
uint64_t allocation_count_end(void);

/// 0: this build (with AddressSanitizer, say, or another C library) cannot count. Tries it.
int allocation_count_is_possible(void);

/// Prints where the next allocations that are counted come from to the standard error, so many at most.
void allocation_count_trace(int allocations);

#endif

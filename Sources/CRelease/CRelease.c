// SPDX-License-Identifier: Apache-2.0

#include "CRelease.h"

// Commit.c, which scripts/commit writes and git ignores, replaces this definition. A plain `swift build`
// works without it.
__attribute__((weak)) const char *flipclock_commit(void) { return ""; }

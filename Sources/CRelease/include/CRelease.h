// SPDX-License-Identifier: Apache-2.0

#ifndef FLIPCLOCK_CRELEASE_H
#define FLIPCLOCK_CRELEASE_H

/// The commit from which the programs were built, such as "c7b54ba1f0aa", with "-dirty" after it if files
/// were changed; empty if it is unknown.
const char *flipclock_commit(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// synchronized yes|no   makes the kernel report that its clock is, or is not, synchronized, as an NTP client does.
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>

int main(int count, char **words) {
  struct timex change = {.modes = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR};
  if (count != 2) return 64;
  change.status = strcmp(words[1], "yes") == 0 ? STA_PLL : STA_UNSYNC;
  if (adjtimex(&change) < 0) {
    perror("adjtimex");
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// get-status [MILLISECONDS]   prints the reply to GetStatus in one line. With an argument, it calls GetStatus again
// after that time, and prints the second reply too. The tests use it instead of flipclockctl, whose start takes an
// emulated processor half a second.
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char call[] = "{\"method\":\"org.flipclock.Control.GetStatus\"}";

static int ask(int fd) {
  if (write(fd, call, sizeof call) != sizeof call) return 1;
  for (;;) {
    char reply[4096];
    ssize_t size = read(fd, reply, sizeof reply);
    if (size <= 0) return 1;
    // A message ends with a NUL. Nothing follows it, because there is one reply per call.
    int ends = reply[size - 1] == 0;
    fwrite(reply, 1, size - ends, stdout);
    if (ends) return putchar('\n') == EOF;
  }
}

int main(int argc, char **argv) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/run/flipclock/control.sock"};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    perror(address.sun_path);
    return 1;
  }
  if (ask(fd) != 0) return 1;
  if (argc < 2) return 0;
  usleep(1000 * atoi(argv[1]));
  return ask(fd);
}

// SPDX-License-Identifier: Apache-2.0
// call-host METHOD [PARAMETERS]   calls a method of org.flipclock.Host, with its parameters as a JSON object, and prints
// the reply in one line.
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/run/flipclock-host/control.sock"};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (argc < 2 || fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    perror(address.sun_path);
    return 1;
  }
  char call[4096];
  int size = snprintf(call, sizeof call, "{\"method\":\"org.flipclock.Host.%s\",\"parameters\":%s}", argv[1],
                      argc > 2 ? argv[2] : "{}");
  if (size < 0 || size >= (int)sizeof call || write(fd, call, size + 1) != size + 1) return 1;
  for (;;) {
    char reply[4096];
    ssize_t read_bytes = read(fd, reply, sizeof reply);
    if (read_bytes <= 0) return 1;
    // A message ends with a NUL. Nothing follows it, because there is one reply per call.
    int ends = reply[read_bytes - 1] == 0;
    fwrite(reply, 1, read_bytes - ends, stdout);
    if (ends) return putchar('\n') == EOF;
  }
}

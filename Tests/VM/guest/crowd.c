// SPDX-License-Identifier: Apache-2.0
// crowd SOCKET IDLE STALLED   opens connections to the daemon, prints when all are open, and holds them until it is
// killed. IDLE connections send nothing. Of the STALLED ones, every other one subscribes and never reads; the rest
// send GetState calls until the socket is full, at most 2000 each, and never read a reply.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char watch[] = "{\"method\":\"org.flipclock.Control.Subscribe\",\"more\":true}";
static const char ask[] = "{\"method\":\"org.flipclock.Control.GetState\"}";

static int join(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    perror(path);
    exit(1);
  }
  return fd;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: crowd SOCKET IDLE STALLED\n");
    return 64;
  }
  for (int i = 0; i < atoi(argv[2]); i++) join(argv[1]);
  for (int i = 0; i < atoi(argv[3]); i++) {
    int fd = join(argv[1]);
    if (i % 2 == 0) {
      if (write(fd, watch, sizeof watch) != sizeof watch) return 1;
      continue;
    }
    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (int calls = 0; calls < 2000 && write(fd, ask, sizeof ask) == sizeof ask; calls++) continue;
  }
  printf("all connected\n");
  fflush(stdout);
  for (;;) pause();
}

// SPDX-License-Identifier: Apache-2.0
// keys NAME   creates a keyboard with uinput, which exists while standard input is open. Each input line is a key's
// code and an action: "79 press" (press and release), "79 hold" (press, two repeats and release) or "79 release".
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void die(const char *what) {
  perror(what);
  exit(1);
}

static void emit(int fd, int type, int code, int value) {
  struct input_event event = {.type = type, .code = code, .value = value};
  if (write(fd, &event, sizeof event) != sizeof event) die("write");
}

static void key(int fd, int code, int value) {
  emit(fd, EV_KEY, code, value);
  emit(fd, EV_SYN, SYN_REPORT, 0);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: keys NAME\n");
    return 64;
  }
  int fd = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
  if (fd < 0) die("/dev/uinput");
  if (ioctl(fd, UI_SET_EVBIT, EV_KEY) < 0) die("UI_SET_EVBIT");
  for (int code = 1; code < 256; code++)
    if (ioctl(fd, UI_SET_KEYBIT, code) < 0) die("UI_SET_KEYBIT");
  struct uinput_setup setup = {.id = {.bustype = BUS_USB, .vendor = 1, .product = 1}};
  strncpy(setup.name, argv[1], sizeof setup.name - 1);
  if (ioctl(fd, UI_DEV_SETUP, &setup) < 0) die("UI_DEV_SETUP");
  if (ioctl(fd, UI_DEV_CREATE) < 0) die("UI_DEV_CREATE");
  int code;
  char what[16];
  while (scanf("%d %15s", &code, what) == 2) {
    if (strcmp(what, "release") != 0) key(fd, code, 1);
    if (strcmp(what, "hold") == 0) {
      key(fd, code, 2);
      key(fd, code, 2);
    }
    usleep(100000);
    key(fd, code, 0);
    usleep(100000);
  }
  ioctl(fd, UI_DEV_DESTROY);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

/// Forking a Swift test process is unsafe. The handler is therefore compiled into a small C program, with the
/// console ioctls replaced by lines on the same pipe, and that program crashes.
@Suite(.enabled(if: Compiler.path != nil, "needs clang or cc"))
struct CrashGuardTests {
  struct Crash: Sendable, CustomTestStringConvertible {
    var name: String
    var statement: String
    var signal: Int32
    var testDescription: String { name }
  }

  static let crashes = [
    Crash(name: "a trap", statement: "__builtin_trap();", signal: SIGILL),
    Crash(name: "a null pointer", statement: "*(volatile int *)8 = 1;", signal: SIGSEGV),
    Crash(name: "abort", statement: "abort();", signal: SIGABRT),
    Crash(name: "a breakpoint", statement: "raise(SIGTRAP);", signal: SIGTRAP),
    Crash(name: "a bus error", statement: "raise(SIGBUS);", signal: SIGBUS),
    Crash(name: "a division", statement: "raise(SIGFPE);", signal: SIGFPE),
    Crash(name: "a stack overflow", statement: "overflow(1);", signal: SIGSEGV),
  ]

  @Test("A crash restores terminal and console, and ends with its signal", arguments: crashes)
  func crash(_ crash: Crash) throws {
    let (output, status) = try run(
      """
      clinux_crash_set_terminal(1, (const uint8_t *)"RESET\\n", 6, NULL);
      clinux_crash_set_console(77, K_UNICODE, NULL);
      \(crash.statement)
      """)
    #expect(output == "RESET\n77 KDSKBMODE 3\n77 KDSETMODE 0\n77 VT_SETMODE 0\n")
    #expect(status & 0x7f == crash.signal)
  }

  @Test(
    "Every signal that ends a process by default restores the console, or does not end the process",
    arguments: 1..<65)
  func everySignal(number: Int32) throws {
    // Excluded: signals that cannot be handled, those that the event loop handles, those that stop a process,
    // and glibc's own.
    let others = [SIGKILL, SIGSTOP, SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU, 32, 33]
    guard !others.contains(number) else { return }
    let (output, status) = try run(
      """
      clinux_ignore_stray_signals();
      clinux_crash_set_console(77, K_UNICODE, NULL);
      raise(\(number));
      printf("alive");
      """)
    if status & 0x7f == 0 {
      #expect(output == "alive" && status == 0)
    } else {
      #expect(output == "77 KDSKBMODE 3\n77 KDSETMODE 0\n77 VT_SETMODE 0\n")
      #expect(status & 0x7f == number)
      #expect([SIGQUIT, SIGXCPU, SIGSYS].contains(number) || Self.crashes.contains { $0.signal == number })
    }
  }

  @Test("A cleared console and terminal are left alone")
  func cleared() throws {
    let (output, status) = try run(
      """
      clinux_crash_set_terminal(1, (const uint8_t *)"RESET\\n", 6, NULL);
      clinux_crash_set_console(77, K_UNICODE, NULL);
      clinux_crash_clear_terminal();
      clinux_crash_clear_console();
      abort();
      """)
    #expect(output == "")
    #expect(status & 0x7f == SIGABRT)
  }

  @Test("The previous handler gets the signal afterwards")
  func chains() throws {
    let (output, status) = try run(
      """
      clinux_crash_set_terminal(1, (const uint8_t *)"RESET\\n", 6, NULL);
      raise(SIGILL);
      """, before: "signal(SIGILL, earlier);")
    #expect(output == "RESET\nearlier\n")
    #expect(status == 3 << 8)
  }

  @Test("A terminal's attributes are restored")
  func attributes() throws {
    let (output, status) = try run(
      """
      int pseudo = posix_openpt(O_RDWR | O_NOCTTY);
      if (grantpt(pseudo) || unlockpt(pseudo)) return 1;
      int terminal = open(ptsname(pseudo), O_RDWR | O_NOCTTY);
      struct termios before, raw, after;
      tcgetattr(terminal, &before);
      if (fork() == 0) {
        clinux_crash_set_terminal(terminal, (const uint8_t *)"R", 1, &before);
        raw = before;
        cfmakeraw(&raw);
        tcsetattr(terminal, TCSANOW, &raw);
        abort();
      }
      int status;
      wait(&status);
      tcgetattr(terminal, &after);
      char byte = 0;
      read(pseudo, &byte, 1);
      printf("%c %d %d", byte, WTERMSIG(status) == SIGABRT, before.c_lflag == after.c_lflag);
      """)
    #expect(output == "R 1 1")
    #expect(status == 0)
  }

  @Test("A console's attributes are restored, and what was typed is discarded")
  func consoleAttributes() throws {
    let (output, status) = try run(
      """
      int pseudo = posix_openpt(O_RDWR | O_NOCTTY);
      if (grantpt(pseudo) || unlockpt(pseudo)) return 1;
      int terminal = open(ptsname(pseudo), O_RDWR | O_NOCTTY);
      struct termios before, raw, after;
      tcgetattr(terminal, &before);
      raw = before;
      cfmakeraw(&raw);
      tcsetattr(terminal, TCSANOW, &raw);
      int typed = 0, left = 0;
      write(pseudo, "rm -r\\n", 6);
      usleep(50000);
      syscall(SYS_ioctl, terminal, FIONREAD, &typed);
      if (fork() == 0) {
        close(1);
        clinux_crash_set_console(terminal, K_UNICODE, &before);
        abort();
      }
      int status;
      wait(&status);
      tcgetattr(terminal, &after);
      syscall(SYS_ioctl, terminal, FIONREAD, &left);
      printf("%d %d %d", typed, left, before.c_lflag == after.c_lflag);
      """)
    #expect(output == "6 0 1")
    #expect(status == 0)
  }

  @Test("A blocked terminal does not block the crash, and does not stay non-blocking")
  func blocked() throws {
    let (output, status) = try run(
      """
      int ends[2];
      if (pipe2(ends, O_NONBLOCK)) return 1;
      while (write(ends[1], "x", 1) == 1) {}
      fcntl(ends[1], F_SETFL, 0);
      if (fork() == 0) {
        clinux_crash_set_terminal(ends[1], (const uint8_t *)"R", 1, NULL);
        abort();
      }
      int status;
      wait(&status);
      printf("%d %d", WTERMSIG(status) == SIGABRT, fcntl(ends[1], F_GETFL) & O_NONBLOCK);
      """)
    #expect(output == "1 0")
    #expect(status == 0)
  }

  @Test("A reset string that is too long is rejected")
  func tooLong() {
    let error = thrown {
      try CrashGuard.setTerminalReset(fd: 1, bytes: [UInt8](repeating: 0x20, count: 257))
    }
    #expect(error?.errno.rawValue == EMSGSIZE)
  }

  private func run(_ body: String, before: String = "") throws -> (output: String, status: Int32) {
    let directory = try TemporaryDirectory()
    let source = directory.path + "/crash.c"
    let program = directory.path + "/crash"
    let text = """
      #define _GNU_SOURCE
      #include "CLinux.h"
      #include <stdarg.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/syscall.h>
      #include <sys/wait.h>
      #undef ioctl
      int mock_ioctl(int fd, unsigned long request, ...) {
        va_list list;
        va_start(list, request);
        char line[64];
        if (request == VT_SETMODE) {
          snprintf(line, sizeof line, "%d VT_SETMODE %d\\n", fd, va_arg(list, struct vt_mode *)->mode);
        } else {
          const char *name = request == KDSKBMODE ? "KDSKBMODE" : request == KDSETMODE ? "KDSETMODE" : "other";
          snprintf(line, sizeof line, "%d %s %ld\\n", fd, name, va_arg(list, long));
        }
        va_end(list);
        return write(1, line, strlen(line)) < 0 ? -1 : 0;
      }
      int overflow(int depth) {
        volatile char room[65536];
        room[depth % 65536] = 1;
        return overflow(depth + 1) + room[0];
      }
      void earlier(int number) { _exit(write(1, "earlier\\n", 8) == 8 ? 3 : 4); }
      int main(void) {
        \(before)
        if (clinux_crash_install() != 0) return 1;
        \(body)
        return 0;
      }
      """
    try AtomicFile.write(Array(text.utf8), to: source, mode: 0o600)
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let sources = "/\(root)/Sources/CLinux"
    let built = try Child.run(
      [
        Compiler.path ?? "cc", "-O0", "-w", "-Dioctl=mock_ioctl", "-I", sources + "/include",
        sources + "/CrashGuard.c", source, "-o", program,
      ])
    try #require(built.status == 0, "\(built.output)")
    let result = try Child.run([program])
    return (result.output, result.status)
  }
}

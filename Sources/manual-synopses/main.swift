// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import LinuxSystem

// Writes the synopses of flipclockctl(1) into the manual that is named on the command line.

let log = Log(program: "manual-synopses")
guard CommandLine.arguments.count == 2 else {
  log.error("usage: manual-synopses <manual>")
  exit(EX_USAGE)
}
let path = CommandLine.arguments[1]
do {
  let manual = String(decoding: try readFile(path, limit: 1 << 20), as: UTF8.self)
  guard let text = ManualSynopsis.replacing(in: manual) else {
    log.error("\(path): the line '\(ManualSynopsis.begin)' or '\(ManualSynopsis.end)' is missing")
    exit(1)
  }
  if text != manual { try AtomicFile.write(Array(text.utf8), to: path) }
} catch {
  log.error("\(error)")
  exit(1)
}

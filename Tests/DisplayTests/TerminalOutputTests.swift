// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxSystem
import Raster
import TestSupport
import Testing

@testable import Display

/// Serialized, because the tests send SIGWINCH to their own threads, and the crash guard has one terminal per
/// process.
@Suite(.serialized)
struct TerminalOutputTests {
  private func attributes(_ descriptor: Int32) -> [UInt32] {
    var value = termios()
    tcgetattr(descriptor, &value)
    return [value.c_iflag, value.c_oflag, value.c_lflag]
  }

  @Test("Frames appear on the terminal, and stop restores it")
  func shows() throws {
    let pseudo = try PseudoTerminal(columns: 40, rows: 10)
    let terminal = try pseudo.open()
    let before = attributes(terminal.rawValue)
    let loop = try EventLoop()
    let output = TerminalOutput(fileDescriptor: terminal.rawValue, colors: .truecolor, on: loop)
    var emulator = Emulator(columns: 40, rows: 10)
    var presented = 0
    try output.start { if case .presented = $0 { presented += 1 } }
    #expect(output.description == nil)
    try loop.turn(timeoutMilliseconds: -1)
    let description = try #require(output.description)
    #expect(description.driver == "terminal")
    #expect("/dev/" + description.connector == pseudo.path)
    #expect(description.mode.size == PixelSize(width: 640, height: 320))
    #expect(attributes(terminal.rawValue) != before)
    // The given descriptor is not made non-blocking.
    #expect(clinux_fcntl(terminal.rawValue, F_GETFL, 0) & O_NONBLOCK == 0)

    let frame = Bitmap(width: 640, height: 320, format: .xrgb8888)
    frame.fill(frame.buffer.bounds, 0x336699)
    frame.fill(PixelRect(x: 16, y: 16, width: 16, height: 16), 0xff8800)
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    #expect(!output.canPresent)
    #expect(try loop.turn { presented == 1 })
    emulator.feed(pseudo.read())
    #expect(emulator.problems == [])
    #expect(emulator.isAlternate && !emulator.isCursorVisible && !emulator.wraps)
    #expect(emulator.cells[1] == Emulator.Cell(upper: 0x336699, lower: 0xff8800))
    #expect(emulator.cells.filter { $0 == Emulator.Cell(upper: 0x336699, lower: 0x336699) }.count == 399)
    #expect(emulator.updates == 1)
    #expect(output.statistics.framesPresented == 1)

    output.stop()
    emulator.feed(pseudo.read())
    #expect(emulator.problems == [])
    #expect(!emulator.isAlternate && emulator.isCursorVisible && emulator.wraps && !emulator.isSynchronized)
    #expect(attributes(terminal.rawValue) == before)
    #expect(output.description == nil)
  }

  @Test("Blanked, the terminal is cleared and stays clear; unblanked, it shows the complete picture")
  func dark() throws {
    let pseudo = try PseudoTerminal(columns: 40, rows: 10)
    let terminal = try pseudo.open()
    let loop = try EventLoop()
    let output = TerminalOutput(fileDescriptor: terminal.rawValue, colors: .truecolor, on: loop)
    var emulator = Emulator(columns: 40, rows: 10)
    var connections = 0
    var presented = 0
    try output.start { event in
      if case .presented = event { presented += 1 }
      if case .connected = event { connections += 1 }
    }
    #expect(try loop.turn { connections == 1 })
    let frame = Bitmap(width: 640, height: 320, format: .xrgb8888)
    frame.fill(frame.buffer.bounds, 0x336699)
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    #expect(try loop.turn { presented == 1 })
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    output.isBlank = true
    try loop.turn(timeoutMilliseconds: 60)
    emulator.feed(pseudo.read())
    #expect(emulator.problems == [])
    #expect(emulator.cells.allSatisfy { $0 != Emulator.Cell(upper: 0x336699, lower: 0x336699) })
    #expect(presented == 1)
    #expect(!output.canPresent)
    output.isBlank = false
    #expect(try loop.turn { connections == 2 })
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    #expect(try loop.turn { presented == 2 })
    emulator.feed(pseudo.read())
    #expect(emulator.problems == [])
    #expect(emulator.cells.allSatisfy { $0 == Emulator.Cell(upper: 0x336699, lower: 0x336699) })
    output.stop()
  }

  @Test("A resize is a new mode, and the frame in flight is dropped")
  func resizes() throws {
    let pseudo = try PseudoTerminal(columns: 40, rows: 10)
    let terminal = try pseudo.open()
    let loop = try EventLoop()
    let output = TerminalOutput(fileDescriptor: terminal.rawValue, colors: .indexed, on: loop)
    var sizes: [PixelSize] = []
    var presented = 0
    try output.start {
      switch $0 {
      case .connected(let description): sizes.append(description.mode.size)
      case .presented: presented += 1
      case .disconnected: break
      }
    }
    try loop.turn(timeoutMilliseconds: -1)
    let frame = Bitmap(width: 640, height: 320, format: .xrgb8888)
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    pseudo.resize(columns: 0, rows: 0)
    // The kernel sends the signal only to the terminal's foreground job, and this test is not part of that
    // job.
    pthread_kill(pthread_self(), SIGWINCH)
    #expect(try loop.turn { sizes.count == 2 })
    #expect(sizes == [PixelSize(width: 640, height: 320), PixelSize(width: 640, height: 384)])
    #expect(output.canPresent)
    // The frame has the old size: only the common part is used.
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    #expect(try loop.turn { presented > 0 })
    #expect(presented == 1)
    var emulator = Emulator(columns: 80, rows: 24)
    emulator.feed(pseudo.read())
    #expect(emulator.problems == [])
    output.stop()
  }

  @Test("A terminal that stops reading later gets only the newest frame")
  func backpressure() throws {
    let pseudo = try PseudoTerminal(columns: 200, rows: 60)
    let terminal = try pseudo.open()
    let loop = try EventLoop()
    let output = TerminalOutput(
      fileDescriptor: terminal.rawValue, colors: .truecolor, refreshMillihertz: 1_000_000, on: loop)
    var random = SplitMix(seed: 3)
    var presented = 0
    var frame = Bitmap(width: 0, height: 0, format: .xrgb8888)
    let draw = {
      // Noise, so that no two cells are equal and the frame exceeds a terminal's buffer.
      let scale = max(frame.width / 200, 1)
      for y in 0..<120 {
        for x in 0..<200 {
          frame.fill(
            PixelRect(x: x * scale, y: y * scale, width: scale, height: scale),
            UInt32.random(in: 0...0xffffff, using: &random))
        }
      }
      output.present(frame.buffer, damage: [frame.buffer.bounds])
    }
    try output.start { event in
      switch event {
      case .connected(let description):
        frame = Bitmap(
          width: description.mode.size.width, height: description.mode.size.height, format: .xrgb8888)
        draw()
      case .presented:
        presented += 1
        if presented < 5 { draw() }
      case .disconnected: break
      }
    }
    // Nothing reads the terminal, but frames are still completed.
    #expect(try loop.turn { presented == 5 })
    var emulator = Emulator(columns: 200, rows: 60)
    emulator.feed(pseudo.read())
    var last = frame.buffer.row32(frame.height - 1)[frame.width - 1] & 0xffffff
    #expect(
      try loop.turn {
        emulator.feed(pseudo.read())
        return emulator.updates == 2 && !emulator.isSynchronized
      })
    #expect(emulator.problems == [])
    #expect(emulator.cells.last?.lower == last)
    last = frame.buffer.row32(0)[0] & 0xffffff
    #expect(emulator.cells.first?.upper == last)
    output.stop()
  }

  @Test("A terminal with a full buffer is still restored")
  func stopsWhenFull() throws {
    let pseudo = try PseudoTerminal(columns: 300, rows: 100)
    let terminal = try pseudo.open()
    let loop = try EventLoop()
    let output = TerminalOutput(fileDescriptor: terminal.rawValue, colors: .truecolor, on: loop)
    try output.start { _ in }
    try loop.turn(timeoutMilliseconds: -1)
    let size = try #require(output.description?.mode.size)
    let frame = Bitmap(width: size.width, height: size.height, format: .xrgb8888)
    for y in 0..<size.height { for x in 0..<size.width { frame.buffer.row32(y)[x] = UInt32(x * y * 77) } }
    output.present(frame.buffer, damage: [frame.buffer.bounds])
    // Fills the buffer to the last byte; a large write would leave some space.
    let filler = try FileDescriptor(opening: pseudo.path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    while write(filler.rawValue, "x", 1) == 1 {}
    output.stop()
    let bytes = pseudo.read()
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix(TerminalOutput.reset))
  }

  @Test("A hangup is reported once, and stop works after it")
  func hangsUp() throws {
    let pseudo = try PseudoTerminal(columns: 40, rows: 10)
    let terminal = try pseudo.open()
    let loop = try EventLoop()
    let output = TerminalOutput(fileDescriptor: terminal.rawValue, colors: .truecolor, on: loop)
    var reasons: [String] = []
    try output.start { if case .disconnected(let reason) = $0 { reasons.append(reason) } }
    try loop.turn(timeoutMilliseconds: -1)
    pseudo.hangUp()
    #expect(try loop.turn { !reasons.isEmpty })
    #expect(output.description == nil)
    #expect(!output.canPresent)
    pthread_kill(pthread_self(), SIGWINCH)
    for _ in 0..<3 { try loop.turn(timeoutMilliseconds: 10) }
    #expect(reasons == ["the terminal is gone (Input/output error)"])
    output.stop()
  }

  @Test("A descriptor that is not a terminal is rejected")
  func refuses() throws {
    let loop = try EventLoop()
    let file = try FileDescriptor(opening: "/dev/null", O_RDWR)
    let output = TerminalOutput(fileDescriptor: file.rawValue, colors: .truecolor, on: loop)
    #expect {
      try output.start { _ in }
    } throws: { error in
      guard let error = error as? SystemError else { return false }
      return error.errno.rawValue == ENOTTY && error.hint?.contains("--display headless") == true
    }
    #expect(!TerminalOutput.isAvailable(fileDescriptor: file.rawValue, terminalName: "xterm"))
    let pseudo = try PseudoTerminal(columns: 1, rows: 1)
    let terminal = try pseudo.open()
    #expect(TerminalOutput.isAvailable(fileDescriptor: terminal.rawValue, terminalName: "xterm"))
    for name in [nil, "", "dumb"] {
      #expect(!TerminalOutput.isAvailable(fileDescriptor: terminal.rawValue, terminalName: name))
    }
  }
}

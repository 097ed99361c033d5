// SPDX-License-Identifier: Apache-2.0

import Display
import Glibc
import LinuxSystem
import Raster

@testable import KMS

/// A wall with one display, on which the test draws and presents each frame itself.
final class Rig: SimulatedDisplays {
  private(set) var presentations: [Presentation] = []
  /// The frame to present.
  private(set) var shadow = Bitmap(PixelSize(width: 64, height: 48))
  /// Called inside the handler of `.presented`.
  var onPresented: (() -> Void)?

  override func connected(_ output: any Output, _ description: OutputDescription) {
    shadow = Bitmap(description.frameSize)
    paint(0)
  }

  override func presented(_ output: any Output, _ presentation: Presentation) {
    presentations.append(presentation)
    onPresented?()
  }

  /// The first output with a display, or else the first of all outputs.
  var output: KMSOutput? { displays.all.first { $0.isFound } ?? displays.all.first }

  var canPresent: Bool { output?.canPresent ?? false }
  var statistics: OutputStatistics { output?.statistics ?? OutputStatistics() }

  /// Runs the loop until `condition` is true; returns false if it does not become true within ten seconds.
  func run(until condition: () -> Bool) throws -> Bool {
    let end = loop.now + 10_000_000_000
    while !condition() {
      if loop.now > end { return false }
      try loop.turn(timeoutMilliseconds: 100)
    }
    return true
  }

  /// Starts the output and presents the first frame.
  func startShowing() throws -> Bool {
    try start()
    guard try run(until: { canPresent }) else { return false }
    return try show()
  }

  func present(_ damage: PixelRect...) { output?.present(shadow.buffer, damage: damage) }

  /// Presents the shadow and waits until it is on the display. Without `damage`, the whole frame is damaged.
  func show(_ damage: PixelRect? = nil) throws -> Bool {
    let before = statistics.framesPresented
    present(damage ?? shadow.buffer.bounds)
    return try run(until: { statistics.framesPresented > before })
  }

  /// Draws a picture that differs from the fill value and from the pictures of all other seeds.
  func paint(_ seed: UInt32, in rect: PixelRect? = nil) {
    let rect = (rect ?? shadow.buffer.bounds).intersection(shadow.buffer.bounds)
    for y in rect.y..<max(rect.maxY, rect.y) {
      for x in rect.x..<max(rect.maxX, rect.x) {
        shadow.buffer.row32(y)[x] =
          0xff00_0000 | (UInt32(y) &* 0x0001_0301 ^ UInt32(x) &* 0x0000_0509 ^ seed &* 0x0001_1357)
          & 0xff_ffff
      }
    }
  }

  /// The buffer that is not on the display.
  var back: PixelBuffer? {
    let buffers = card.framebuffers.values.compactMap { card.pixels(of: $0) }
    return buffers.first { $0.base != picture?.base }
  }

  /// What the display shows.
  var picture: PixelBuffer? { output.flatMap { card.picture(on: $0.name) } }

  /// Whether the display shows what one copy of the whole shadow would give: rotated, converted to the
  /// scanout's format and dithered according to the preferences.
  var displayShowsShadow: Bool {
    guard let scanout = picture else { return false }
    let rotation = displays.preferences.rotation
    guard scanout.size == rotation.size(of: shadow.size) else { return false }
    let expected = Bitmap(width: scanout.width, height: scanout.height, format: scanout.format)
    expected.buffer.copy(
      shadow.buffer, shadow.buffer.bounds, rotation: rotation,
      dithering: displays.preferences.dithers ? .ordered : .none)
    let bytes = scanout.width * scanout.format.bytesPerPixel
    let padding = card.clearsMemory ? 0 : SimulatedFile.poison
    for y in 0..<scanout.height {
      if memcmp(scanout.row(y), expected.buffer.row(y), bytes) != 0 { return false }
      for byte in bytes..<scanout.bytesPerRow
      where scanout.row(y).load(fromByteOffset: byte, as: UInt8.self) != padding {
        return false
      }
    }
    return true
  }
}

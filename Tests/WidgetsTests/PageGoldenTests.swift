// SPDX-License-Identifier: Apache-2.0

import Glibc
import Images
import Raster
import Settings
import Testing

@testable import Layers
@testable import Widgets

/// Transitions in mid-flight, with the program's own outlines. A channel may be off by two, as elsewhere.
@Suite struct PageGoldenTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/Goldens/"
  private static let moving = PageTransitionSettings.Kind.allCases.filter { $0 != .cut }

  @Test("Pages in mid-transition look as they did", arguments: moving)
  func midFlight(kind: PageTransitionSettings.Kind) throws {
    let size = PixelSize(width: 192, height: 108)
    let stage = PageFixture.stage(PageFixture.configuration(kind), size, Fixture.model(home: 3, guest: 12))
    stage.show(page: "match", Fixture.model(home: 3, guest: 12)) { 0 }
    for percent in [35, 65] {
      let picture = stage.scene.picture(at: Double(percent) / 100)
      let path = "\(Self.folder)page-\(kind.rawValue)-\(percent).png"
      if getenv("FLIPCLOCK_RECORD_GOLDENS") != nil {
        let file = try #require(fopen(path, "wb"))
        let bytes = try PNG.encode(picture.buffer)
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        Issue.record("recorded \(path)")
        continue
      }
      let golden = try PNG.decode(try read(path))
      try #require(golden.size == size)
      var worst = 0
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (a, b) = (picture.buffer.row32(y)[x], golden.buffer.row32(y)[x])
          for shift in [0, 8, 16] as [UInt32] {
            worst = max(worst, abs(Int(a >> shift & 255) - Int(b >> shift & 255)))
          }
        }
      }
      #expect(worst <= 2, "\(path)")
    }
  }

  private func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "rb"), "no golden \(path); FLIPCLOCK_RECORD_GOLDENS=1 records it")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}

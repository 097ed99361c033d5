// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster
import Testing

@testable import KMS

@Suite("Reporting damage to legacy drivers")
struct DirtyReportTests {
  /// The clips of each call; nil: the whole framebuffer.
  private final class Driver {
    var calls: [[[Int]]?] = []
    var result: Int32 = 0
  }

  private func send(_ report: inout DirtyReport, _ damage: [PixelRect], _ driver: Driver) {
    report.report(damage) { (clips, count) throws(SystemError) in
      driver.calls.append(
        clips.map { clips in
          (0..<Int(count)).map {
            [Int(clips[$0].x1), Int(clips[$0].y1), Int(clips[$0].x2), Int(clips[$0].y2)]
          }
        })
      if driver.result != 0 {
        throw SystemError("DRM_IOCTL_MODE_DIRTYFB", errno: Errno(rawValue: driver.result))
      }
    }
  }

  @Test("Clips have exclusive ends; no damage or too many rectangles report the whole framebuffer")
  func clips() {
    var report = DirtyReport()
    let driver = Driver()
    send(&report, [], driver)
    send(&report, [PixelRect(x: 1, y: 2, width: 3, height: 4), .empty], driver)
    send(&report, [PixelRect(x: -5, y: 0, width: 100_000, height: 7)], driver)
    let dot = PixelRect(x: 0, y: 0, width: 1, height: 1)
    send(&report, Array(repeating: dot, count: 256), driver)
    send(&report, Array(repeating: dot, count: 257), driver)
    #expect(driver.calls.count == 5)
    #expect(driver.calls[0] == nil)
    #expect(driver.calls[1] == [[1, 2, 4, 6]])
    #expect(driver.calls[2] == [[0, 0, 65535, 7]])
    #expect(driver.calls[3]?.count == 256)
    #expect(driver.calls[4] == nil)
  }

  @Test("A driver that rejects the call is called only once", arguments: [ENOSYS, EINVAL, EOPNOTSUPP])
  func unwelcome(code: Int32) {
    var report = DirtyReport()
    let driver = Driver()
    driver.result = code
    for _ in 0..<5 { send(&report, [], driver) }
    #expect(driver.calls.count == 1)
    #expect(!report.isSupported)
  }

  @Test("Temporary errors and success do not end the reports", arguments: [0, EACCES, EBUSY, EINTR, ENODEV])
  func passing(code: Int32) {
    var report = DirtyReport()
    let driver = Driver()
    driver.result = code
    for _ in 0..<5 { send(&report, [], driver) }
    #expect(driver.calls.count == 5)
    #expect(report.isSupported)
  }
}

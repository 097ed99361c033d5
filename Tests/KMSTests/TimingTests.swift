// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import KMS

@Suite("Timings")
struct TimingTests {
  @Test("The rate is computed like the kernel's, also for interlaced modes and inexact clocks")
  func rates() {
    var ntsc = Hardware.mode(1920, 1080)
    (ntsc.clockKilohertz, ntsc.hTotal, ntsc.vTotal) = (148_352, 2200, 1125)
    #expect(ntsc.refreshMillihertz == 59_940)
    #expect(ntsc.displayMode.description == "1920x1080@59.94")
    #expect(ntsc.periodNanoseconds == 16_683_350)
    ntsc.flags = Hardware.interlaced
    #expect(ntsc.refreshMillihertz == 119_880)
    var broken = Hardware.mode(1, 1)
    (broken.clockKilohertz, broken.vRefresh) = (0, 0)
    #expect(broken.refreshMillihertz == 60_000)
    // virtio-gpu's 75 Hz mode is really 74.994 Hz.
    var virtual = Hardware.mode(1280, 800)
    (virtual.clockKilohertz, virtual.hTotal, virtual.vTotal) = (107_000, 1696, 841)
    virtual.clockKilohertz = 106_966
    #expect(virtual.refreshMillihertz == 74_994)
    #expect(virtual.displayMode.description == "1280x800@75")
  }

  @Test("A mode survives the conversion to the kernel's structure and back")
  func roundTrip() {
    for timing in Hardware.televisionModes { #expect(Timing(timing.modeInfo) == timing) }
    var long = Hardware.televisionModes[0]
    long.name = String(repeating: "x", count: 100)
    #expect(Timing(long.modeInfo).name == String(repeating: "x", count: 31))
  }
}

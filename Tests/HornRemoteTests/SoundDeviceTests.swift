// SPDX-License-Identifier: Apache-2.0

import Commands
import Horn
import LinuxSystem
import Testing

@testable import HornRemote

@Suite(.serialized) struct SoundDeviceTests {
  init() throws { try #require(SoundCard.isReady) }

  /// Plays until the device reports that it has finished. Returns the error with which it ended, if any.
  private func play(_ samples: [Int16], on name: String) throws -> SoundError? {
    let loop = try EventLoop()
    let device = try SoundDevice(name, on: loop)
    var ended = false
    var problem: SoundError?
    device.finished = {
      ended = true
      problem = $0
    }
    try device.play(samples)
    for _ in 0..<200 where !ended { try loop.turn(timeoutMilliseconds: 100) }
    #expect(ended && !device.isOpen && !device.isPlaying)
    return problem
  }

  @Test(arguments: [(Sound.period, "tape0"), (.shot, "tape1")])
  func everySampleIsPlayedOnBothChannels(_ sound: Sound, _ name: String) throws {
    let samples = Synthesis.samples(of: sound)
    #expect(try play(samples, on: name) == nil)
    let frames = SoundCard.frames(of: name)
    #expect(frames.count == samples.count)
    #expect(frames.map(\.left) == samples && frames.map(\.right) == samples)
    #expect(frames.allSatisfy { $0.left < .max && $0.left > .min })
  }

  @Test func aDeviceOfAnotherFormatIsUsedWithConversion() throws {
    let samples = Synthesis.samples(of: .shot)
    #expect(try play(samples, on: "floats") == nil)
    let frames = SoundCard.frames(of: "floats")
    #expect(frames.count == samples.count)
    #expect(zip(frames, samples).allSatisfy { abs(Int($0.left) - Int($1)) <= 1 })
  }

  @Test func aNewSoundEndsThePresentOne() throws {
    let loop = try EventLoop()
    let device = try SoundDevice("tape2", on: loop)
    var ends = 0
    device.finished = { _ in ends += 1 }
    try device.play([Int16](repeating: 7, count: 48_000))
    try device.play([Int16](repeating: 9, count: 4_800))
    for _ in 0..<100 where ends == 0 { try loop.turn(timeoutMilliseconds: 100) }
    #expect(ends == 1)
    #expect(SoundCard.frames(of: "tape2").suffix(4_800).allSatisfy { $0.left == 9 })
    for _ in 0..<5 { try loop.turn(timeoutMilliseconds: 20) }
    #expect(ends == 1)
  }

  @Test func aDeviceCanBeOpenedBefore() throws {
    let loop = try EventLoop()
    let device = try SoundDevice("tape3", on: loop)
    try device.open()
    try device.open()
    #expect(device.isOpen && !device.isPlaying)
    device.close()
    device.close()
    #expect(!device.isOpen)
    try device.open()
    try device.play([1, 2, 3])
    #expect(device.isPlaying)
    device.close()
    #expect(!device.isPlaying)
  }

  @Test func aMissingDeviceIsAnErrorThatSaysWhatToDo() throws {
    let loop = try EventLoop()
    for (name, expected) in [
      (
        "broken",
        "cannot open the sound device 'broken': No such file or directory; connect it, or name another"
      ),
      (
        "nowhere",
        "cannot open the sound device 'nowhere': No such file or directory; connect it, or name another"
      ),
    ] {
      let device = try SoundDevice(name, on: loop)
      var text = ""
      do throws(SoundError) { try device.play([1, 2, 3]) } catch { text = error.description }
      #expect(text.hasPrefix(expected), "\(text)")
      #expect(!device.isPlaying && !device.isOpen)
    }
  }

  @Test(
    arguments: [
      (-16, "cannot open the sound device 'hw:0': Device or resource busy; stop the program that uses it"),
      (
        -13,
        "cannot open the sound device 'hw:0': Permission denied; the user must be a member of the group 'audio'"
      ),
      (-5, "cannot open the sound device 'hw:0': Input/output error"),
    ] as [(Int32, String)])
  func errorsSayWhatToDo(_ code: Int32, _ text: String) {
    #expect(SoundError("open", "hw:0", code: code).description.hasPrefix(text))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc
import Testing

@testable import Horn

@Suite struct SynthesisTests {
  @Test(arguments: Sound.allCases)
  func soundIsAsLoudAsAllowedAndNotClipped(_ sound: Sound) {
    let samples = Synthesis.samples(of: sound)
    let highest = samples.map { abs(Int($0)) }.max() ?? 0
    #expect(highest == Int((Synthesis.peak * 32_767).rounded()))
    // A clipped wave stays at its extreme.
    #expect(zip(samples, samples.dropFirst()).count { abs(Int($0)) == highest && $0 == $1 } < 3)
    #expect(samples.count == Int(Synthesis.seconds(of: sound) * 48_000) && samples.count <= 96_000)
  }

  @Test(arguments: Sound.allCases)
  func soundBeginsAndEndsWithoutAClick(_ sound: Sound) {
    let samples = Synthesis.samples(of: sound)
    #expect(abs(Int(samples[0])) < 200 && samples.suffix(10).allSatisfy { abs(Int($0)) < 100 })
    let offset = Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
    #expect(abs(offset) < 60)
  }

  @Test func volumeScalesTheAmplitude() {
    let full = Synthesis.samples(of: .shot)
    let half = Synthesis.samples(of: .shot, volume: 50)
    #expect(zip(full, half).allSatisfy { abs(Int($0) - 2 * Int($1)) <= 2 })
    #expect(Synthesis.samples(of: .shot, volume: 0).allSatisfy { $0 == 0 })
    #expect(Synthesis.samples(of: .shot, volume: 400) == full)
  }

  @Test func theHornHasThePitchesOfItsThreeVoices() {
    let middle = Array(Synthesis.samples(of: .period)[24_000..<72_000])
    // The harmonics are far louder than the frequencies between them.
    for pitch in [233.1, 311.1, 2 * 233.1, 4 * 233.1, 3 * 311.1] {
      #expect(level(of: pitch, in: middle) > 8 * level(of: pitch * 1.06, in: middle), "\(pitch) Hz")
    }
    // The loudest frequency is in the range of the bell's resonance.
    let loudest = stride(from: 100.0, to: 6_000, by: 1).max {
      level(of: $0, in: middle) < level(of: $1, in: middle)
    }
    #expect((600...1_300).contains(loudest ?? 0), "\(loudest ?? 0) Hz")
  }

  @Test func theBuzzerSoundsDifferent() {
    let middle = Array(Synthesis.samples(of: .shot)[4_800..<28_800])
    let loudest = stride(from: 100.0, to: 6_000, by: 2).max {
      level(of: $0, in: middle) < level(of: $1, in: middle)
    }
    #expect([880.0, 1_320, 440].contains { abs($0 - (loudest ?? 0)) < 4 }, "\(loudest ?? 0) Hz")
    #expect(level(of: 233.1, in: middle) * 20 < level(of: 880, in: middle))
    #expect(Synthesis.seconds(of: .shot) < Synthesis.seconds(of: .period) / 2)
  }

  /// The amplitude of a frequency, by Goertzel's algorithm with a Hann window.
  private func level(of frequency: Double, in samples: [Int16]) -> Double {
    let factor = 2 * cos(2 * .pi * frequency / 48_000)
    let step = 2 * .pi / Double(samples.count)
    var (last, before) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let window = 0.5 - 0.5 * cos(step * Double(index))
      (last, before) = (Double(sample) * window + factor * last - before, last)
    }
    return (last * last + before * before - factor * last * before).squareRoot() / Double(samples.count)
  }
}

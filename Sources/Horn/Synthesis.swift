// SPDX-License-Identifier: Apache-2.0

import Commands
import Glibc

/// The synthesis of the sounds: mono samples at `rate`.
package enum Synthesis {
  /// Samples per second.
  package static let rate = 48_000
  /// The highest amplitude at full volume, as a fraction of the range of a sample.
  static let peak = 0.9

  /// The length of a sound in seconds.
  package static func seconds(of sound: Sound) -> Double {
    switch sound {
    case .period: 1.8
    case .shot: 0.7
    case .breakEnd, .countdown: 1.2
    case .breakWarning: 0.4
    }
  }

  /// - Parameter volume: in percent of the full amplitude, 0 … 100.
  package static func samples(of sound: Sound, volume: Int = 100) -> [Int16] {
    let wave =
      switch sound {
      case .period: horn()
      case .shot, .breakEnd, .breakWarning, .countdown: buzzer(seconds(of: sound))
      }
    let highest = wave.reduce(0) { max($0, abs($1)) }
    guard highest > 0 else { return [] }
    let scale = peak * Double(Int16.max) * Double(min(max(volume, 0), 100)) / 100 / highest
    return wave.map { Int16(($0 * scale).rounded()) }
  }

  /// An arena's horn: three air horns that sound together. Each is a sum of harmonics, of which those near
  /// the resonance of the bell are the strongest. The pitch rises to its value while the pressure builds up.
  private static func horn() -> [Double] {
    let voices: [(frequency: Double, level: Double)] = [(233.1, 1), (234.6, 0.7), (311.1, 0.8)]
    let levels = voices.map { harmonics(of: $0.frequency) }
    let length = seconds(of: .period)
    var phases = [Double](repeating: 0, count: voices.count)
    return (0..<Int(length * Double(rate))).map { (index: Int) -> Double in
      let time = Double(index) / Double(rate)
      let bend = 1 - 0.05 * exp(-time / 0.03)
      var sum = 0.0
      for voice in voices.indices {
        sum += voices[voice].level * Self.sum(levels[voice], at: phases[voice])
        phases[voice] += 2 * .pi * voices[voice].frequency * bend / Double(rate)
      }
      // The membrane cannot follow large amplitudes.
      return tanh(0.5 * sum) * envelope(time, attack: 0.02, length: length, release: 0.25)
    }
  }

  /// The levels of the harmonics of an air horn, from the first one, up to 7 kHz.
  private static func harmonics(of frequency: Double) -> [Double] {
    (1...Int(7_000 / frequency)).map { number in
      let distance = log2(frequency * Double(number) / 940)
      return (0.25 + exp(-distance * distance / 0.8)) / pow(Double(number), 0.6)
    }
  }

  /// The sum of `levels[n] sin((n + 1) phase)`, by sin((n + 1) x) = 2 cos(x) sin(n x) − sin((n − 1) x).
  private static func sum(_ levels: [Double], at phase: Double) -> Double {
    let twice = 2 * cos(phase)
    var (before, sine) = (0.0, sin(phase))
    var sum = 0.0
    for level in levels {
      sum += level * sine
      (before, sine) = (sine, twice * sine - before)
    }
    return sum
  }

  /// A buzzer: a frequency-modulated tone whose amplitude pulsates 30 times a second.
  private static func buzzer(_ length: Double) -> [Double] {
    let (carrier, modulator) = (880.0, 440.0)
    return (0..<Int(length * Double(rate))).map { (index: Int) -> Double in
      let time = Double(index) / Double(rate)
      let depth = 1.2 + 0.6 * exp(-time / 0.1)
      let tone = sin(2 * .pi * carrier * time + depth * sin(2 * .pi * modulator * time))
      let flutter = 0.75 + 0.25 * cos(2 * .pi * 30 * time)
      return tone * flutter * envelope(time, attack: 0.004, length: length, release: 0.06)
    }
  }

  /// Rises from 0 to 1 in `attack` seconds and returns to 0 in the last `release` seconds, without a step.
  private static func envelope(
    _ time: Double, attack: Double, length: Double, release: Double
  ) -> Double {
    let rise = min(time / attack, 1)
    let fall = min(max((length - time) / release, 0), 1)
    return sin(rise * .pi / 2) * fall * fall
  }
}

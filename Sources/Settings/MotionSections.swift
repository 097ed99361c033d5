// SPDX-License-Identifier: Apache-2.0

import Spelling

extension Section where Target == CardMotionSettings {
  /// The keys that every widget with cards has.
  static var cardMotion: Section {
    Section(
      title: "",
      keys: [
        Key("transition", \.transition, .choice()),
        Key("duration", \.duration, .duration(maximum: 10)),
        Key("easing", \.easing, .easing),
        Key("order", \.order, .choice()),
        Key("shading", \.shading, .percentage),
        Key("perspective", \.perspective, .number(1...20)),
        Key("symbols", \.symbols, .choice()),
        Key("flap-rate", \.flapRate, .number(1...60)),
      ])
  }
}

extension Section where Target == BoardSettings {
  static var board: Section {
    Section(
      title: "",
      keys: [
        Key("text", \.text, .lines(maximum: 2_000)),
        Key("columns", \.columns, .integer(1...64)),
        Key("rows", \.rows, .integer(1...24)),
        Key("align", \.align, .choice()),
        Key("drum", \.drum, .drum),
      ] + Section<CardMotionSettings>.cardMotion.keys.map { $0.part(of: \.motion) })
  }
}

extension Key {
  /// The same key of what is a part of `Whole`.
  func part<Whole>(of path: WritableKeyPath<Whole, Target>) -> Key<Whole> {
    Key<Whole>(name: name, shape: shape) { whole, node, place, report in
      apply(&whole[keyPath: path], node, place, &report)
    }
  }
}

extension ValueKind where Value == EasingSettings {
  /// A named easing, a curve or steps.
  static var easing: ValueKind {
    ValueKind(shape: .form) { node, place, report in
      if case .string(let text) = node.value, let easing = EasingSettings(text) { return easing }
      var hint =
        "write \"ease-in-out\", \"cubic-bezier(0.4, 0, 0.2, 1)\" with numbers from 0 to 1, or \"steps(8)\""
      if case .string(let text) = node.value,
        let near = Spelling.hint(for: text, among: EasingSettings.named.map(\.name))
      {
        hint = near
      }
      report.error(
        node.location, "\(place.description) must be an easing, found \(node.found)", hint: hint)
      return nil
    }
  }
}

extension ValueKind where Value == Double {
  /// A string with its sign, `"60%"`, as 0 … 1.
  static var percentage: ValueKind {
    ValueKind(shape: .form) { node, place, report in
      if case .string(let text) = node.value, text.hasSuffix("%"),
        let number = Units.decimal(text.dropLast(), fraction: true), number <= 100
      {
        return number / 100
      }
      report.error(
        node.location, "\(place.description) must be from \"0%\" to \"100%\", found \(node.found)",
        hint: "write \"60%\"")
      return nil
    }
  }
}

extension ValueKind where Value == Int {
  /// `"60%"`, whole and up to 100, as 60.
  static func percent(from minimum: Int) -> ValueKind {
    ValueKind(shape: .form) { node, place, report in
      if case .string(let text) = node.value, text.hasSuffix("%"),
        let number = Units.decimal(text.dropLast(), fraction: false),
        number >= Double(minimum), number <= 100
      {
        return Int(number)
      }
      report.error(
        node.location, "\(place.description) must be from \"\(minimum)%\" to \"100%\", found \(node.found)",
        hint: "write \"60%\"")
      return nil
    }
  }

  static func integer(_ range: ClosedRange<Int>) -> ValueKind {
    ValueKind(shape: .number(Double(range.lowerBound)...Double(range.upperBound))) { node, place, report in
      if case .integer(let number) = node.value, let number = Int(exactly: number), range.contains(number) {
        return number
      }
      report.error(
        node.location,
        "\(place.description) must be a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "found \(node.found)")
      return nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

extension SettingsProblem {
  /// The error for a client.
  package var refusal: ControlError {
    switch self {
    case .unknownKey(let key, let hint): .unknownSetting(key: key, hint: hint)
    case .malformed(let reason): .badSettings(reason: reason)
    case .refused(let key, let reason, let mismatch):
      ControlError(refusing: key, because: reason, mismatch)
    case .mistake(let place, let reason): .badConfig(place: place, reason: reason)
    }
  }
}

extension ControlError {
  fileprivate init(refusing key: String, because reason: String, _ mismatch: ShapeMismatch?) {
    func refusal(
      _ problem: SettingProblem?, minimum: String? = nil, maximum: String? = nil, choices: [String]? = nil,
      example: String? = nil
    ) -> ControlError {
      .settingRefused(
        key: key, reason: reason, problem: problem?.rawValue, minimum: minimum, maximum: maximum,
        choices: choices, example: example)
    }
    self =
      switch mismatch {
      case .range(let least, let most): refusal(.outOfRange, minimum: least, maximum: most)
      case .choice(let words): refusal(.notAChoice, choices: words)
      case .tooLong(let maximum): refusal(.tooLong, maximum: "\(maximum)")
      case .form(let example): refusal(.badForm, example: example)
      case .empty: refusal(.empty)
      case .controlCharacter: refusal(.controlCharacter)
      case .directionControl: refusal(.directionControl)
      case .sameTime: refusal(.sameTime)
      case nil: refusal(nil)
      }
  }
}

extension Setting {
  package init(_ setting: OwnerSetting) {
    let (source, place): (Source, String?) =
      switch setting.origin {
      case .standard: (.standard, nil)
      case .settings: (.settings, nil)
      case .config(let file, let line): (.config, "\(file):\(line)")
      }
    var (choices, range): ([String]?, ClosedRange<Double>?)
    let kind: String
    switch setting.shape {
    case .boolean: kind = "boolean"
    case .text(let maximum): (kind, range) = ("text", 0...Double(maximum))
    case .form(_, let maximum, _): (kind, range) = ("text", maximum.map { 0...Double($0) })
    case .color: kind = "color"
    case .duration(let maximum): (kind, range) = ("duration", 0...maximum)
    case .clockTime: kind = "clock-time"
    case .percent(let bounds, _):
      (kind, range) = ("percent", Double(bounds.lowerBound)...Double(bounds.upperBound))
    case .number(let bounds): (kind, range) = ("number", bounds)
    case .integer(let bounds, let word):
      (kind, range) = ("integer", Double(bounds.lowerBound)...Double(bounds.upperBound))
      choices = word.map { [$0] }
    case .integers(let allowed): (kind, choices) = ("choice", allowed.map(String.init))
    case .choice(let words, _): (kind, choices) = ("choice", words)
    case .array(let element, _, _):
      kind = "list"
      if case .choice(let words, _) = element { choices = words }
    case .rows, .table: kind = "list"
    }
    self.init(
      key: setting.key, value: setting.value, default: setting.standard, source: source, place: place,
      kind: kind,
      choices: choices, least: range?.lowerBound, most: range?.upperBound)
  }
}

// SPDX-License-Identifier: Apache-2.0

import ControlCalls
import Glibc
import LinuxSystem
import Settings
import TOMLConfig

/// Keeps what people have set without a file in the file `settings.toml` of the state directory, which is
/// replaced atomically. It is read at the start, and again if another program has changed it.
final class OwnerStore {
  let path: String
  private let loop: EventLoop
  private let log: Log
  private var writer: DurableWriter?
  /// That the file was set aside at the start, for `status`; nil: it was not, or settings were saved since.
  private(set) var warning: String?
  /// The error of a file that could not be read, and that must not be overwritten; nil if there is none.
  private var unreadable: SystemError?
  /// What the file contains as far as this program knows (nil: it does not exist), then what is being
  /// written.
  private var contents: [[UInt8]?] = [nil]

  /// The maximum size of a file that is read, in bytes.
  private static let sizeLimit = 1 << 18

  init(directory: String, on loop: EventLoop, log: Log) {
    path = directory + "/settings.toml"
    self.loop = loop
    self.log = log
  }

  /// Returns the settings; none if the file cannot be used. A damaged file is set aside under another name;
  /// after any other error of reading it, no settings are saved. Both are logged.
  func load() -> OwnerSettings {
    SetAsideFiles(of: path).prune(log: log)
    do throws(SystemError) {
      let bytes = try readFile(path, limit: Self.sizeLimit)
      do throws(OwnerSettings.Problem) { return try settings(in: bytes) } catch {
        setAside(error.message)
      }
    } catch {
      if SetAsideFiles.mustSetAside(error) {
        setAside("\(error)")
      } else if error.errno.rawValue != ENOENT {
        unreadable = error
        log.error("the settings cannot be read, so new ones are not saved in their place: \(error)")
      }
    }
    return OwnerSettings()
  }

  /// Reads the file again if another program has changed it.
  ///
  /// - Returns: nil: it is as this program has written it.
  func edited() throws(OwnerSettings.Problem) -> OwnerSettings? {
    var bytes: [UInt8]?
    do throws(SystemError) { bytes = try readFile(path, limit: Self.sizeLimit) } catch {
      // Saving reports the error of a file that could not be read at the start either.
      if unreadable != nil { return nil }
      guard error.errno.rawValue == ENOENT else { throw .malformed("\(error)") }
    }
    guard unreadable != nil || !contents.contains(bytes) else { return nil }
    let settings = try settings(in: bytes)
    log.notice("\(path) was edited, and is read again")
    return settings
  }

  /// The settings in a file that another program may have written; none if there is no file.
  private func settings(in bytes: [UInt8]?) throws(OwnerSettings.Problem) -> OwnerSettings {
    let settings = try bytes.map { bytes throws(OwnerSettings.Problem) in
      try OwnerSettings(reading: bytes, of: path)
    }
    contents[0] = bytes
    (unreadable, warning) = (nil, nil)
    guard let settings else { return OwnerSettings() }
    // A file that was written by hand gets the lines that messages name.
    if bytes != Array(settings.text.utf8) { save(settings) { _ in } }
    return settings
  }

  private func setAside(_ reason: String) {
    SetAsideFiles(of: path).setAside(because: "it is not a file of settings: \(reason)", log: log)
    warning = "\(path) was damaged and is set aside: \(reason)"
  }

  /// Saves the settings. `completion` is called when they are durable, or when saving failed.
  func save(_ settings: OwnerSettings, completion: @escaping (Result<Void, SystemError>) -> Void) {
    warning = nil
    if let unreadable { return completion(.failure(unreadable)) }
    do throws(SystemError) {
      if writer == nil { writer = try DurableWriter(path: path, mode: 0o640, on: loop) }
      let bytes = Array(settings.text.utf8)
      contents.append(bytes)
      writer?.submit(bytes, isUrgent: true) { [weak self] result in
        self?.written(result)
        completion(result)
      }
    } catch {
      completion(.failure(error))
    }
  }

  /// Notes the result of the oldest write.
  private func written(_ result: Result<Void, SystemError>) {
    if case .success = result { contents.removeFirst() } else { contents.remove(at: 1) }
  }

  func close() { writer?.close() }
}

extension OwnerSettings.Problem {
  var message: String {
    switch self {
    case .unknownKey(let key, _): "'\(key)' cannot be set without a file"
    case .malformed(let reason): reason
    }
  }

  /// The error for a client.
  var refusal: ControlError {
    switch self {
    case .unknownKey(let key, let hint): .unknownSetting(key: key, hint: hint)
    case .malformed(let reason): .badSettings(reason: reason)
    }
  }
}

extension ControlError {
  init(refusing key: String, because reason: String, _ mismatch: ShapeMismatch?) {
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
      case nil: refusal(nil)
      }
  }
}

extension Setting {
  init(_ setting: OwnerSetting) {
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
    case .form(_, let maximum): (kind, range) = ("text", maximum.map { 0...Double($0) })
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

// SPDX-License-Identifier: Apache-2.0

import Scoreboard

/// What the daemon does for the control socket. Everything is called on the loop's thread, and each
/// completion must be called there, once, at once or later.
public protocol ControlHandler: AnyObject {
  func status() -> StatusReport
  /// The match as it is now.
  func matchState() -> MatchState
  func matchHistory() -> MatchHistory
  /// Completes when the change is durable, not before, with the match as the action left it.
  func perform(
    _ action: Scoreboard.Action, completion: @escaping (Result<MatchChange, ControlFailure>) -> Void)
  /// Shows a page of the config, by its name; the same name is the answer.
  func show(page: String) -> Result<String, ControlFailure>
  /// Puts a text that can be shown over the page, in the place of one that is there.
  ///
  /// - Parameter milliseconds: when it goes by itself; nil: it stays until it is cleared.
  func showMessage(_ text: String, milliseconds: Int?)
  /// Takes the text over the page away, and tells which it was.
  func clearMessage() -> String?
  /// Makes the display dark, or lights it; false: it was so already.
  func blank(_ isBlank: Bool) -> Bool
  /// Percent.
  var brightness: Int { get }
  /// Completes when the change is durable, with the brightness that it is then.
  ///
  /// - Parameter percent: 1 … 100; nil: as the config says.
  func setBrightness(_ percent: Int?, completion: @escaping (Result<Int, ControlFailure>) -> Void)
  func reload(completion: @escaping (ReloadOutcome) -> Void)
  /// What is on the display now.
  func screenshot(completion: @escaping (Result<ScreenshotImage, ControlFailure>) -> Void)
}

/// Why the daemon did not do what it was asked.
public enum ControlFailure: Error, Hashable, Sendable {
  case refused(Scoreboard.Refusal)
  case unknownPage(String, known: [String])
  case noDisplay
  /// The change was made but could not be made durable.
  case stateNotSaved(String)
  case failed(String)
}

/// How a reload of the config went; with errors the last good config stays in force.
public struct ReloadOutcome: Codable, Hashable, Sendable {
  public var ok: Bool
  /// One located diagnostic each, e.g. `config.toml:3:1: error: 'mode' in [display] must be a string`.
  public var errors: [String]
  /// The same for what does not keep the config from being used, e.g. an unknown key.
  public var warnings: [String]

  public init(ok: Bool, errors: [String] = [], warnings: [String] = []) {
    self.ok = ok
    self.errors = errors
    self.warnings = warnings
  }

  /// An older daemon sends no warnings.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    ok = try values.decode(Bool.self, forKey: .ok)
    errors = try values.decode([String].self, forKey: .errors)
    warnings = try values.decodeIfPresent([String].self, forKey: .warnings) ?? []
  }
}

public struct ScreenshotImage: Hashable, Sendable {
  /// A whole PNG file.
  public var png: [UInt8]
  /// In pixels.
  public var width: Int
  public var height: Int

  public init(png: [UInt8], width: Int, height: Int) {
    self.png = png
    self.width = width
    self.height = height
  }
}

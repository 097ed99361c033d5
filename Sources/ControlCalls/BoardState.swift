// SPDX-License-Identifier: Apache-2.0

/// A widget that shows texts, and its text: the interface's type `Board`.
package struct BoardState: Codable, Hashable, Sendable {
  /// The widget's name in the config, and its type.
  package var name: String
  package var type: String
  /// The text as it was pushed, or that of the config. Lines are separated by `\n`.
  package var text: String
  /// The text without its markup.
  package var words: String
  /// The number of letters in a line, and of lines; nil where any text fits.
  package var columns: Int?
  package var rows: Int?
  /// The lines as the cards show them, each with all its blanks; nil: the widget has no cards.
  package var lines: [String]?
  /// Whether the text has no markup. This and what follows, up to `stale`, are nil while the board shows the
  /// text of the config.
  package var plain: Bool?
  /// Who or what the text is from.
  package var from: String?
  /// When the text was pushed, when it disappears and when it becomes stale, RFC 3339.
  package var since: String?
  package var until: String?
  package var staleFrom: String?
  /// Whether the text is stale.
  package var stale: Bool?
  /// Why the source of the text failed since the text was pushed, and when it first did, RFC 3339; nil: it
  /// has not.
  package var problem: String?
  package var problemSince: String?

  package init(name: String, type: String, text: String, columns: Int? = nil, rows: Int? = nil) {
    self.name = name
    self.type = type
    self.text = text
    words = text
    self.columns = columns
    self.rows = rows
  }
}

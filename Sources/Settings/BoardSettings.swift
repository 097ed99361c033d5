// SPDX-License-Identifier: Apache-2.0

/// A board of split-flap letters.
public struct BoardSettings: Hashable, Sendable {
  public enum Alignment: String, CaseIterable, Hashable, Sendable {
    case left
    case center
    case right
  }

  /// The lines, parted by `\n`; a line that is longer than the board goes on in the next.
  public var text = ""
  public var columns = 20
  public var rows = 3
  public var align = Alignment.center
  /// What is printed on a card's flaps, in their order; a symbol once.
  public var drum = BoardSettings.defaultDrum
  public var motion: CardMotionSettings = {
    var motion = CardMotionSettings()
    motion.symbols = .through
    motion.order = .together
    return motion
  }()

  public static let defaultDrum = " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?'-+/&()%°€$£@#"

  public init() {}

  /// The letters of `text` that no flap shows, each once: they are left out. Small letters are shown by
  /// the capital where only that is there.
  public var missingLetters: [Character] {
    var missing: [Character] = []
    for letter in text where letter != "\n" && flap(for: letter) == nil && !missing.contains(letter) {
      missing.append(letter)
    }
    return missing
  }

  /// What the card shows for a letter; nil where the drum has nothing for it.
  public func flap(for letter: Character) -> String? {
    if letter == " " || drum.contains(letter) { return letter == " " ? "" : String(letter) }
    let capital = letter.uppercased()
    return capital.count == 1 && capital.allSatisfy(drum.contains) ? capital : nil
  }
}

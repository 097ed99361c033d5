// SPDX-License-Identifier: Apache-2.0

import Scoreboard
import Spelling
import TOMLConfig

extension ValueKind where Value == GameRules.Preset {
  /// One of the presets. For the name of a game in another language, the error message suggests the preset.
  static var preset: ValueKind {
    .choice(Value.allCases.map { ($0.rawValue, $0) }) { word in
      let names = Value.allCases.flatMap { preset in Self.names(preset).map { (name: $0, preset: preset) } }
      let near = Spelling.nearest(to: word, among: names.map(\.name))
      return names.first { $0.name == near }.map { "did you mean '\($0.preset.rawValue)'?" }
    }
  }

  /// The names in the languages into which the display's words are translated, where they differ from the
  /// preset.
  private static func names(_ preset: Value) -> [String] {
    switch preset {
    case .free: ["frei", "libre", "libero", "livre", "vrij", "dowolna", "serbest"]
    case .basketball:
      [
        "basket", "korbball", "baloncesto", "pallacanestro", "basquete", "basquetebol", "koszykówka",
        "basketbol", "バスケットボール",
      ]
    case .volleyball:
      ["volley", "voleibol", "vóley", "pallavolo", "vôlei", "volleybal", "siatkówka", "voleybol", "バレーボール"]
    case .tableTennis:
      [
        "tischtennis", "ping-pong", "tennis de table", "tenis de mesa", "tennistavolo", "tênis de mesa",
        "ténis de mesa",
        "tafeltennis", "tenis stołowy", "masa tenisi", "卓球",
      ]
    case .football:
      [
        "soccer", "fußball", "fussball", "foot", "fútbol", "calcio", "futebol", "voetbal", "piłka nożna",
        "futbol", "サッカー",
      ]
    case .darts: ["dart", "fléchettes", "dardos", "freccette", "rzutki", "ダーツ"]
    case .tennis: ["tenis", "tênis", "ténis", "テニス"]
    case .handball:
      [
        "hand", "balonmano", "pallamano", "handebol", "andebol", "handbal", "piłka ręczna", "hentbol",
        "ハンドボール",
      ]
    case .iceHockey:
      [
        "eishockey", "hockey", "hockey sur glace", "hockey sobre hielo", "hockey su ghiaccio",
        "hóquei no gelo", "ijshockey",
        "hokej na lodzie", "buz hokeyi", "アイスホッケー",
      ]
    case .badminton: ["federball", "bádminton", "kometka", "バドミントン"]
    }
  }
}

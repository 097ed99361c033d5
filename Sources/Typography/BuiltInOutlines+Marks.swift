// SPDX-License-Identifier: Apache-2.0

extension BuiltInOutlines {
  /// A diacritic, centred at x = 0 and drawn at the height that it has on a capital.
  struct Mark: Sendable {
    enum Alignment: Sendable {
      case center
      case right
    }
    var alignment = Alignment.center
    var path: String
  }

  static let marks: [Unicode.Scalar: Mark] = [
    "\u{300}": Mark(path: "M-150 1240 H30 L95 1070 H-35 Z"),
    "\u{301}": Mark(path: "M150 1240 H-30 L-95 1070 H35 Z"),
    "\u{302}": Mark(path: "M-80 1240 H80 L190 1070 H60 L0 1150 L-60 1070 H-190 Z"),
    "\u{303}": Mark(
      path:
        """
        M-185 1080 C-185 1180 -145 1232 -82 1232 C-28 1232 22 1196 56 1196 C74 1196 84 1206 86 1232 H185 \
        C185 1136 145 1080 82 1080 C28 1080 -22 1116 -56 1116 C-74 1116 -84 1106 -86 1080 Z
        """),
    "\u{304}": Mark(path: "M-160 1090 V1200 H160 V1090 Z"),
    "\u{306}": Mark(
      path:
        """
        M-170 1240 H-50 C-46 1202 -30 1184 0 1184 C30 1184 46 1202 50 1240 H170 C164 1130 104 1070 \
        0 1070 C-104 1070 -164 1130 -170 1240 Z
        """
    ),
    "\u{307}": Mark(path: "M-78 1080 V1235 H78 V1080 Z"),
    "\u{308}": Mark(path: "M-195 1080 V1235 H-45 V1080 Z M45 1080 V1235 H195 V1080 Z"),
    "\u{30a}": Mark(
      path:
        """
        M-130 1165 U0 1285 R130 1165 U0 1045 R-130 1165 Z \
        M-52 1165 U0 1116 R52 1165 U0 1214 R-52 1165 Z
        """),
    "\u{30b}": Mark(path: "M10 1240 H-130 L-185 1070 H-75 Z M215 1240 H75 L10 1070 H120 Z"),
    "\u{30c}": Mark(path: "M-80 1070 H80 L190 1240 H60 L0 1160 L-60 1240 H-190 Z"),
    "\u{327}": Mark(
      path:
        """
        M-50 10 H75 L60 -60 C120 -70 145 -105 145 -150 C145 -215 95 -250 0 -250 H-95 V-165 H-10 \
        C15 -165 25 -158 25 -145 C25 -130 15 -124 -10 -124 H-70 Z
        """
    ),
    "\u{328}": Mark(
      alignment: .right,
      path:
        """
        M-100 10 H40 C0 -40 -20 -76 -20 -110 C-20 -140 -4 -154 26 -154 H60 V-248 H0 C-92 -248 -145 \
        -204 -145 -128 C-145 -76 -128 -34 -100 10 Z
        """
    ),
  ]
}

// SPDX-License-Identifier: Apache-2.0

import TOMLConfig

/// A picture, or those of a directory in turn.
package struct ImageSettings: Hashable, Sendable {
  package enum Fit: String, CaseIterable, Hashable, Sendable {
    /// The whole picture, as large as its place allows.
    case contain
    /// The picture fills its place; what does not fit is cut off.
    case cover
  }

  /// The path of a picture.
  package var file: String?
  /// The paths of the pictures in a directory, in the order in which they are shown.
  package var folder: [String]?
  package var fit = Fit.contain
  /// How many seconds each picture of a directory stays.
  package var every = 10.0

  package init() {}

  /// The paths of the pictures that are shown in turn.
  package var files: [String] { file.map { [$0] } ?? folder ?? [] }
}

extension ImageSettings: WidgetContent {
  package static let typeName = "image"
  package static let text = """
    A picture, such as the logo of a club, or the pictures of a directory in turn, such as those of sponsors. The files
    are PNG, with at most 4 MiB and 4096x4096 pixels, and not animated. They are read at the start and by
    `flipclockctl reload`. The place of a picture that cannot be shown stays empty, and `flipclockctl check` and
    `flipclockctl status` say why. The service of flipclockd cannot read files in /home and /tmp: put them beside the
    config file, readable for all users.
    """

  /// Reports an image with two sources, or with none.
  package func complete(_ table: WidgetTable, _ report: inout Report) {
    if table["file"] == nil, table["folder"] == nil, let type = table["type"] {
      report.error(
        type.value.location, "\(table.title) has neither a 'file' nor a 'folder'",
        hint: "write file = \"logo.png\" or folder = \"sponsors\"")
    } else if let file = table["file"], table["folder"] != nil {
      report.error(
        file.keyLocation, "\(table.title) has a 'file' and a 'folder'", hint: "leave one of them out")
    }
  }

  package static var keys: [Key<ImageSettings>] {
    [
      Key(
        "file", \.file, .picture,
        "The file of the picture. A relative path begins at the directory of the file in which it is written.",
        example: "\"logo.png\""),
      Key(
        "folder", \.folder, .pictures,
        """
        A directory. Its files whose names end in `.png` are shown in turn, in the order of their names. A relative path
        begins at the directory of the file in which it is written.
        """, example: "\"sponsors\""),
      Key(
        "fit", \.fit, .choice(),
        """
        `"contain"`: the whole picture, as large as its place allows. `"cover"`: the picture fills its place, and what
        does not fit is cut off.
        """),
      Key(
        "every", \.every, .duration(minimum: 1, maximum: 86_400),
        """
        How long each picture of a directory stays, at least `"1s"`. The pictures change at the same times on all displays.
        """),
    ]
  }
}

extension ValueKind where Value == String {
  /// The file of a picture; the value is its path from the working directory.
  static var picture: ValueKind {
    let path = path("the file of a picture", example: "logo.png")
    return ValueKind(
      shape: path.shape,
      read: { node, place, report in
        guard let file = path.read(node, place, &report) else { return nil }
        report.report(report.checks.picture(file), at: node.location)
        return file
      })
  }

  /// A path, relative to the directory of the config file.
  fileprivate static func path(_ what: String, example: String) -> ValueKind {
    let form = form(pattern: "^.", maximum: 4_095, what, hint: "write \"\(example)\"") {
      !$0.isEmpty && !$0.utf8.contains(0)
    }
    return ValueKind(
      shape: form.shape,
      read: { node, place, report in
        form.read(node, place, &report).map { report.path($0, fromFileOf: node.location) }
      })
  }
}

extension ValueKind where Value == [String] {
  /// A directory of pictures; the value is the paths of its pictures.
  static var pictures: ValueKind {
    let path = ValueKind<String>.path("a directory of pictures", example: "sponsors")
    return ValueKind(
      shape: path.shape,
      read: { node, place, report in
        guard let directory = path.read(node, place, &report) else { return nil }
        let (files, problems) = report.checks.pictures(directory)
        for problem in problems { report.report(problem, at: node.location) }
        return files
      })
  }
}

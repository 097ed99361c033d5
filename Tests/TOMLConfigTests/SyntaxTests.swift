// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import TOMLConfig

/// Common mistakes in TOML, and the corrections that their messages suggest.
@Suite struct SyntaxTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var text: String
    /// `line:column message; hint`
    var message: String
    var testDescription: String { text }

    init(_ text: String, _ message: String) {
      self.text = text
      self.message = message
    }
  }

  private static let texts = [
    Mistake("name = \"LIONS\ncolor = \"#f00\"\n", "1:8 the text that begins in column 8 has no closing \""),
    Mistake("name = \"LIONS", "1:8 the text that begins in column 8 has no closing \""),
    Mistake("name = 'LIONS\r\nx = 1\r\n", "1:8 the text that begins in column 8 has no closing '"),
    Mistake("text = \"\"\"a\nb\n", "1:8 the text that begins in line 1 has no closing \"\"\""),
    Mistake(
      "name = \"LIONS”\n",
      "1:8 the text that begins in column 8 has no closing \"; it ends with a curly quote; use straight quotes"
    ),
    Mistake("name = “LIONS”\n", "1:8 the text is in curly quotes; use straight quotes: \"LIONS\""),
    Mistake(
      "name = ‘RED LIONS’ # x\n", "1:8 the text is in curly quotes; use straight quotes: \"RED LIONS\""),
    Mistake("rows = [„time“]\n", "1:9 the text is in curly quotes; use straight quotes: \"time\""),
    Mistake("“name” = 1\n", "1:1 the key is in curly quotes; keys need no quotes"),
    Mistake("name = LIONS\n", "1:8 'LIONS' is not a value; text goes in quotes: \"LIONS\""),
    Mistake("name = Red Lions # x\n", "1:8 'Red Lions' is not a value; text goes in quotes: \"Red Lions\""),
    Mistake(
      "zone = Europe/Berlin\n", "1:8 'Europe/Berlin' is not a value; text goes in quotes: \"Europe/Berlin\""),
    Mistake("every = 5min\n", "1:9 '5min' is not a value; text goes in quotes: \"5min\""),
    Mistake("mode = 1920x1080\n", "1:8 '1920x1080' is not a value; text goes in quotes: \"1920x1080\""),
    Mistake("brightness = 60%\n", "1:14 '60%' is not a value; text goes in quotes: \"60%\""),
    Mistake("x = nano\n", "1:5 'nano' is not a value; text goes in quotes: \"nano\""),
    Mistake("x = infinite\n", "1:5 'infinite' is not a value; text goes in quotes: \"infinite\""),
    Mistake("x = true story\n", "1:5 'true story' is not a value; text goes in quotes: \"true story\""),
    Mistake("rows = [time, date]\n", "1:9 'time' is not a value; text goes in quotes: \"time\""),
    Mistake("x = {a = LIONS}\n", "1:10 'LIONS' is not a value; text goes in quotes: \"LIONS\""),
    Mistake("name = LIONS\"\n", "1:8 'LIONS\"' is not a value; text goes in quotes: \"LIONS\""),
    Mistake(
      "x = \"C:\\fonts\\wide.ttf\"\n",
      "1:14 '\\w' is not an escape sequence; write \\\\ for a backslash, or the text between apostrophes: "
        + "'C:\\fonts'"),
    Mistake(
      "x = \"\\u12\"\n",
      "1:6 '\\u' begins the number of a character; write 4 hexadecimal digits after \\u, 8 after \\U, or \\\\ "
        + "for a backslash"),
  ]

  private static let values = [
    Mistake("seconds = yes\n", "1:11 'yes' is not a value; write true or false"),
    Mistake("seconds = no\n", "1:11 'no' is not a value; write true or false"),
    Mistake("seconds = on\n", "1:11 'on' is not a value; write true or false"),
    Mistake("seconds = True\n", "1:11 'True' is not a value; write true"),
    Mistake("seconds = FALSE\n", "1:11 'FALSE' is not a value; write false"),
    Mistake("zone = none\n", "1:8 'none' is not a value; leave the key out, or write \"none\""),
    Mistake("color = #ff0000\n", "1:9 'color' has no value, because # begins a comment; write \"#ff0000\""),
    Mistake("color =  #f80\n", "1:10 'color' has no value, because # begins a comment; write \"#f80\""),
    Mistake(
      "color = # red\n",
      "1:9 'color' has no value, because # begins a comment; write it between the '=' and the '#'"),
    Mistake("color =\n[x]\n", "1:8 'color' has no value; write it after the '='"),
    Mistake("hours = 12:00\n", "1:9 '12:00' is not a value; write 12 or 24"),
    Mistake("clock-length = 9:30\n", "1:16 '9:30' is not a value; a time goes in quotes: \"9:30\""),
    Mistake("weight = 1,5\n", "1:10 '1,5' is not a number; write 1.5"),
    Mistake("weight = .5\n", "1:10 '.5' is not a number; write 0.5"),
    Mistake("weight = 5.\n", "1:10 '5.' is not a number; write 5.0"),
    Mistake("digits = 02\n", "1:10 '02' is not a number; write 2"),
    Mistake("digits = 99999999999999999999\n", "1:10 the number is too large"),
    Mistake("digits = 2,\n", "1:11 ',' at the end of a line; leave it out"),
    Mistake("digits = 2;\n", "1:11 ';' at the end of a line; leave it out"),
    Mistake("name = \"A\",\n", "1:11 ',' at the end of a line; leave it out"),
    Mistake("until = 31.12.2026\n", "1:9 '31.12.2026' is not a number; text goes in quotes: \"31.12.2026\""),
    Mistake("until = 2026-13-40\n", "1:9 '2026-13-40' is not a value; text goes in quotes: \"2026-13-40\""),
    Mistake("x = 1 y = 2\n", "1:7 there is a second key on this line; begin a new line before 'y = 2'"),
    Mistake(
      "x = \"a\" b\n",
      "1:9 'b' after the closing \"; a quote inside a text is written \\\", and a key has only one value"),
    Mistake(
      "rows = [\"a\" \"b\"]\n",
      "1:13 a comma is missing before '\"b\"'; values and keys between brackets are separated by commas"),
    Mistake(
      "rows = [\"a\",\n\"b\"\n\"c\"]\n",
      "3:1 a comma is missing before '\"c\"'; values and keys between brackets are separated by commas"),
    Mistake("rows = [\"a\", \"b\"]]\n", "1:18 unexpected ']'"),
    Mistake("rows = [1, 2\nx = 3\n", "1:8 the '[' in line 1 has no ']'"),
    Mistake("rows = [1, 2,\n[game]\nx = 3\n", "1:8 the '[' in line 1 has no ']'"),
    Mistake("rows = [1, 2\n", "1:8 the '[' in line 1 has no ']'"),
    Mistake("x = {a = 1\n", "1:5 the '{' in column 5 has no '}' on its line"),
    Mistake("x = {a = 1,}\n", "1:12 unexpected ',' before the '}'"),
    Mistake(
      "x = {a = 1 b = 2}\n",
      "1:12 a comma is missing before 'b'; values and keys between brackets are separated by commas"),
    Mistake(
      "x = " + String(repeating: "[", count: 40) + "\n",
      "1:37 arrays and inline tables are nested more than 32 deep"),
    Mistake(
      "x = \u{a0}1\n", "1:5 a space that is not an ordinary one (U+00A0); type it again with the space bar"),
    Mistake(
      "x = 1\ry = 2\r", "1:7 a line ends with a carriage return alone; save the file with Unix line endings"),
  ]

  private static let keys = [
    Mistake(
      "x = 1\n[teams.home]\ny = 1\n[teams.home]\n",
      "4:1 [teams.home] is already in line 2; put its keys there"),
    Mistake("a.b = 1\n[a]\n", "2:1 'a' is already set in line 1; put its keys there"),
    Mistake("[a]\nb = 1\n[a.b]\n", "3:1 'a.b' is already set in line 2; remove one of the two"),
    Mistake("[[a]]\nx = 1\n[a]\n", "3:1 [[a]] is already in line 1; put its keys there"),
    Mistake(
      "\u{feff}x = 1\r\n\tname = \"A\"\r\n\tname = \"B\"\r\n",
      "3:2 'name' is already set in line 2; remove one of the two"),
    Mistake("[a]\nx = '''\ny = 1\n'''\nx = 2\n", "5:1 'a.x' is already set in line 2; remove one of the two"),
    Mistake(
      "[[a]]\nx = 1\n[[a]]\n[a.b]\nx = 1\n[[a]]\nx = 1\nx = 2\n",
      "8:1 'a.x' is already set in line 7; remove one of the two"),
    Mistake("a = {x = 1, x = 2}\n", "1:17 a key occurs twice in one table; remove one of the two"),
    Mistake("[teams.home\nname = 1\n", "1:1 the '[' has no ']'; write [teams.home]"),
    Mistake("[[teams\n", "1:1 the '[[' has no ']]'; write [[teams]]"),
    Mistake("[]\n", "1:1 a table's name is missing; write [display] or [teams.home]"),
    Mistake("[teams.]\n", "1:1 a table's name is missing; write [display] or [teams.home]"),
    Mistake(
      "[teams.hömë]\n", "1:9 'ö' in a table's name; names are letters from a to z, digits, '-' and '_'"),
    Mistake("[teams.home]]\n", "1:13 unexpected ']'"),
    Mistake(
      "[teams.home] name = 1\n", "1:14 'name = 1' after a table's header; write it on a line of its own"),
    Mistake("name\n", "1:1 'name' has neither '=' nor a value; write name = …"),
    Mistake("name \"x\"\n", "1:6 the '=' after 'name' is missing; write name = \"x\""),
    Mistake("digits 2\n", "1:8 the '=' after 'digits' is missing; write digits = 2"),
    Mistake("name: \"x\"\n", "1:5 a ':' after 'name'; write '=' instead"),
    Mistake("name := 1\n", "1:6 a ':' after 'name'; write '=' instead"),
    Mistake("name == \"x\"\n", "1:7 there are two '='; write one '='"),
    Mistake("= 1\n", "1:1 the key before the '=' is missing"),
    Mistake("short name = 1\n", "1:1 'short name' is not a key; a key is one word: short-name"),
    Mistake("name LIONS\n", "1:6 the '=' after 'name' is missing; write name = \"LIONS\""),
    Mistake("größe = 1\n", "1:3 'ö' in a key; keys are letters from a to z, digits, '-' and '_'"),
    Mistake("// x\n", "1:1 comments begin with #"),
    Mistake("; x\n", "1:1 comments begin with #"),
    Mistake(
      "<<<<<<< HEAD\n",
      "1:1 a marker of a merge conflict; keep one of the two versions and delete the markers"),
    Mistake(
      "{\"x\": 1}\n", "1:1 '{\"x\": 1}' is neither a key, a [table] nor a # comment; write KEY = VALUE"),
  ]

  @Test("A mistake is reported at its position, with what to write instead", arguments: texts + values + keys)
  func mistake(_ mistake: Mistake) {
    let result = diagnostics(mistake.text)
    #expect(found(result) == ["error " + mistake.message])
    guard let diagnostic = result.first else { return }
    // The caret is below a character of the source line, or just after it.
    let source = diagnostic.sourceLine ?? ""
    #expect(diagnostic.column <= source.unicodeScalars.count + 1)
  }

  @Test("The time to explain a mistake does not grow with the square of the number of tables in an array")
  func manyTables() {
    func processorTime() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    func explain(tables: Int) -> Double {
      let text = String(repeating: "[[a]]\nx = 1\n", count: tables) + "x = 2\n"
      let (line, start) = (2 * tables, processorTime())
      #expect(
        found(diagnostics(text)) == [
          "error \(line + 1):1 'a.x' is already set in line \(line); remove one of the two"
        ])
      return processorTime() - start
    }
    // A quadratic search takes sixteen times as long for four times as many tables. The times are compared
    // with each other, because an emulated processor is much slower.
    _ = explain(tables: 825)
    let few = explain(tables: 825)
    #expect(explain(tables: 3_300) < 8 * few)
  }
}

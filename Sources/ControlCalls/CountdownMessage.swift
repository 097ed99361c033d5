// SPDX-License-Identifier: Apache-2.0

import Commands
import JSON

extension Change {
  /// Reads what a JSON object of another program says about a countdown: `time` or `until` sets it; `pause`,
  /// `resume`, `toggle`, `add` and `clear` control it.
  ///
  /// - Parameter source: the sender if the object names none.
  package init(
    countdown name: String, _ members: [String: JSONValue], source: String?
  ) throws(MalformedMessage) {
    let settings = ["time", "until", "label", "show", "from"]
    let words = CountdownControl.words.keys.sorted()
    try members.check(known: settings + words + ["add", "clear"])
    let set: CountdownSetting.End?
    switch (try members.milliseconds("time"), members["until"]) {
    case (let time?, nil): set = .after(time)
    case (nil, let until?):
      guard let second = until.string.flatMap(TimeOfDay.second) else {
        throw MalformedMessage("'until' is not a time of day such as \"19:30\"")
      }
      set = .timeOfDay(second)
    case (nil, nil): set = nil
    case (_?, _?): throw MalformedMessage("'time' and 'until' exclude each other")
    }
    if let set {
      guard members.keys.allSatisfy(settings.contains) else { throw Self.manyWishes }
      var label: String?
      if let value = members["label"] {
        guard let text = value.string else { throw MalformedMessage("'label' is not a string") }
        label = text
      }
      self = .setCountdown(
        name,
        CountdownSetting(
          set, label: label, source: try members.name("from") ?? source,
          showsPage: try members.flag("show")))
      return
    }
    guard members.count == 1 else { throw Self.manyWishes }
    if let time = try members.milliseconds("add", hasSign: true) {
      self = .controlCountdown(name, .add(time))
    } else if try members.flag("clear") {
      self = .clearCountdown(name)
    } else {
      for word in words where try members.flag(word) {
        guard let control = CountdownControl.words[word] else { continue }
        self = .controlCountdown(name, control)
        return
      }
      throw Self.manyWishes
    }
  }

  private static var manyWishes: MalformedMessage {
    MalformedMessage(
      "write {\"time\": \"15:00\"}, {\"until\": \"19:30\"}, {\"add\": \"5:00\"}, {\"pause\": true}, "
        + "{\"resume\": true}, {\"toggle\": true} or {\"clear\": true}")
  }
}

// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import KMS

@Suite struct EDIDTests {
  @Test("The identity and the texts of the descriptors are read")
  func monitor() throws {
    let edid = try EDID(parsing: SampleEDID.monitor.bytes())
    #expect(edid.manufacturer == "GSM" && edid.productCode == 0x5b09 && edid.serialNumber == 0x1e0f3)
    #expect(edid.name == "HDR WALL 4K" && edid.serialText == "ABC-0042")
    #expect(edid.summary == EDID.Summary(make: "GSM", model: "HDR WALL 4K", serial: "ABC-0042"))
    #expect(edid.summary.description == "GSM HDR WALL 4K ABC-0042")
  }

  @Test("Without texts, the numbers are the model and the serial")
  func numbers() throws {
    let television = try EDID(parsing: SampleEDID.television.bytes())
    #expect(television.summary.description == "SNY SCOREBOARD TV 0x01010101")
    let panel = try EDID(parsing: SampleEDID.panel.bytes())
    #expect(panel.name == nil && panel.serialText == nil)
    #expect(panel.summary == EDID.Summary(make: "BOE", model: "0x07C9", serial: nil))
    #expect(panel.summary.description == "BOE 0x07C9")
  }

  @Test(
    "Texts end at a line feed or with the descriptor, are trimmed, and have only printable characters",
    arguments: [
      ("", nil), ("   ", nil), ("  A B  ", "A B"), ("1234567890123", "1234567890123"), ("A\nB", "A"),
      ("\n", nil), ("A\u{1b}[31mB\0", "A.[31mB."), ("é", ".."),
    ])
  func texts(text: String, expected: String?) throws {
    var sample = SampleEDID.panel
    sample.descriptors = [(0xfc, text), (0xfc, "SECOND")]
    #expect(try EDID(parsing: sample.bytes()).name == expected)
  }

  @Test("The manufacturer's three characters are read even if they are not letters")
  func manufacturer() throws {
    var bytes = SampleEDID.panel.bytes()
    bytes[8] = 0
    bytes[9] = 0
    #expect(try EDID(parsing: SampleEDID.repaired(bytes)).manufacturer == "@@@")
    bytes[8] = 0xff
    bytes[9] = 0xff
    #expect(try EDID(parsing: SampleEDID.repaired(bytes)).manufacturer == "___")
  }

  private func failure(_ bytes: [UInt8]) -> EDID.Failure? {
    do throws(EDID.Failure) {
      _ = try EDID(parsing: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("Every length is accepted or refused with its reason")
  func lengths() {
    let bytes = SampleEDID.television.bytes()
    for count in 0..<bytes.count {
      let expected: EDID.Failure = count == 128 ? .extensions(announced: 1, present: 0) : .size(count)
      #expect(failure(Array(bytes.prefix(count))) == expected)
    }
    // More blocks than announced are valid.
    #expect(failure(bytes + [UInt8](repeating: 7, count: 128)) == nil)
    #expect(failure(bytes + [0]) == .size(257))
  }

  @Test("A changed byte of the base block is an error, and one of an extension block is ignored")
  func changedBytes() throws {
    let bytes = SampleEDID.television.bytes()
    let edid = try EDID(parsing: bytes)
    for index in bytes.indices {
      for value in UInt8.min...UInt8.max where value != bytes[index] {
        var changed = bytes
        changed[index] = value
        let expected: EDID.Failure? = index < 8 ? .header : index < 128 ? .checksum : nil
        if failure(changed) != expected { Issue.record("\(value) at \(index): \(failure(changed) as Any)") }
        // With a valid checksum, any value is accepted. Bytes 8 to 15 are the identity; byte 126 is the
        // number of extension blocks.
        guard (8..<126).contains(index), value % 17 == 0 else { continue }
        let read = try EDID(parsing: SampleEDID.repaired(changed))
        if index < 16, read == edid { Issue.record("\(value) at \(index) is not read") }
      }
    }
    #expect(failure(bytes.map { _ in 0 }) == .header)
  }

  @Test("Random bytes give an error or printable texts")
  func random() {
    var random = SplitMix(seed: 1)
    var read = 0
    for round in 0..<TestEffort.rounds(2_000, long: 200_000) {
      var bytes = (0..<random.int(0...300)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      if round % 2 == 0 {
        bytes = (0..<128).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        for place in [54, 72, 90, 108] {
          bytes.replaceSubrange(
            place..<place + 4, with: [0, 0, 0, Bool.random(using: &random) ? 0xfc : 0xff])
        }
        bytes[126] = 0
        bytes = SampleEDID.repaired(bytes)
      }
      guard let edid = try? EDID(parsing: bytes) else { continue }
      read += 1
      let text = edid.summary.description
      #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) } && edid.matches(text))
    }
    #expect(read >= 1_000)
  }

  @Test("A display is matched by make, model, serial or their combination, in any case")
  func matching() throws {
    let edid = try EDID(parsing: SampleEDID.monitor.bytes())
    let accepted = [
      "GSM", "gsm", "hdr wall 4k", "ABC-0042", "abc-0042", "GSM HDR WALL 4K", "gsm hdr wall 4k abc-0042",
    ]
    for text in accepted { #expect(edid.matches(text), "\(text)") }
    let refused = [
      "", " ", "GS", "GSM ", "HDR", "GSM ABC-0042", "HDR WALL 4K ABC-0042", "0x5B09", "0x0001E0F3", "*",
      "GSM  HDR WALL 4K",
    ]
    for text in refused { #expect(!edid.matches(text), "\(text)") }
    let panel = try EDID(parsing: SampleEDID.panel.bytes())
    #expect(panel.matches("boe 0x07c9") && panel.matches("0x07C9") && !panel.matches("boe 0x07c9 "))
  }
}

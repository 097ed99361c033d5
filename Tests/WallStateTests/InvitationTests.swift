// SPDX-License-Identifier: Apache-2.0

import Commands
import ControlCalls
import TestSupport
import Testing

@testable import WallState

@Suite("Invitations of phones") struct InvitationTests {
  private static let second: Int64 = 1_000_000_000
  private var generator = SplitMix(seed: 7)
  private var invitations = Invitations()

  private mutating func invite(_ role: RemoteRole, at now: Int64) -> Invitation {
    let invitation = Invitation(role: role, at: now, PairingCodes(&generator))
    invitations.open(invitation)
    return invitation
  }

  private mutating func refusal(_ text: String, at now: Int64) -> PairingProblem? {
    do throws(ControlError) {
      _ = try invitations.redeem(text, at: now)
      return nil
    } catch {
      guard case .pairingRefused(let problem) = error else { return nil }
      return PairingProblem(rawValue: problem)
    }
  }

  @Test("The secret or a code to type pairs one phone; then the invitation is closed")
  mutating func once() throws {
    for role in RemoteRole.allCases {
      for index in 0...PairingCode.allCases.count {
        let first = invite(role, at: 0)
        let texts = [first.codes.secret] + first.codes.typed
        #expect(first.codes.secret.count == 22 && first.code.count == 6 && first.code.allSatisfy(\.isNumber))
        #expect(try invitations.redeem(texts[index], at: Self.second) == role)
        #expect(invitations.open == nil)
        for text in texts { #expect(refusal(text, at: 2 * Self.second) == .noInvitation) }
        invitations = Invitations()
      }
    }
  }

  @Test("An invitation ends after two minutes, when it is closed, and when another one replaces it")
  mutating func ends() {
    let first = invite(.scorer, at: 0)
    #expect(refusal(first.codes.secret, at: 120 * Self.second) == .noInvitation)
    #expect(refusal(first.codes.secret, at: 120 * Self.second - 1) == nil)
    let second = invite(.scorer, at: 0)
    #expect(refusal(second.codes.secret, at: 0) == nil)
    let third = invite(.viewer, at: 0)
    #expect(refusal(second.code, at: 0) == .wrongCode)
    #expect(invitations.close() && !invitations.close())
    #expect(refusal(third.codes.secret, at: 0) == .noInvitation)
  }

  @Test("Wrong texts of every kind are refused")
  mutating func wrong() throws {
    let invitation = invite(.scorer, at: 0)
    let texts = [
      "", " ", "\(invitation.code) ", String(invitation.codes.secret.dropLast()),
      invitation.codes.secret + "A",
      invitation.codes.secret.lowercased() + "!", "\0", String(repeating: "1", count: 100_000), "١٢٣٤٥٦",
    ]
    for text in texts {
      invitations = Invitations()
      invitations.open(invitation)
      #expect(refusal(text, at: 0) == .wrongCode, "\(text.prefix(30))")
    }
  }

  /// Digits that are not the open invitation's.
  private var wrongDigits: String { invitations.open?.code == "000000" ? "000001" : "000000" }

  @Test("At most five wrong codes within any minute are compared, whatever the order of events")
  mutating func rate() {
    for seed in 0..<50 {
      var random = SplitMix(seed: UInt64(seed))
      invitations = Invitations()
      var now: Int64 = 0
      var compared: [Int64] = []
      for _ in 0..<200 {
        now += Int64.random(in: 0...20 * Self.second, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = invite(.scorer, at: now)
        case 1: _ = invitations.close()
        default:
          if refusal(wrongDigits, at: now) == .wrongCode { compared.append(now) }
        }
        let recent = compared.filter { now - $0 < Invitation.failureSpan }
        #expect(recent.count <= Invitation.failureLimit)
      }
      #expect(compared.count > 5)
    }
  }

  @Test("After five wrong codes, the right digits are refused, too, but not the secret of the QR code")
  mutating func locked() {
    let invitation = invite(.scorer, at: 0)
    for _ in 0..<5 { #expect(refusal(wrongDigits, at: 0) == .wrongCode) }
    #expect(refusal(invitation.code, at: Self.second) == .tooManyTries)
    #expect(refusal(invitation.codes.secret, at: Self.second) == nil)
    let next = invite(.scorer, at: 2 * Self.second)
    #expect(refusal(next.code, at: 3 * Self.second) == .tooManyTries)
    #expect(refusal(next.code, at: 60 * Self.second) == nil)
  }

  @Test("After five wrong guesses of any kind only the secret is redeemed", arguments: PairingCode.allCases)
  mutating func limited(kind: PairingCode) throws {
    let index = try #require(PairingCode.allCases.firstIndex(of: kind))
    for _ in 0..<200 {
      let codes = invite(.scorer, at: 0).codes
      var allowed = invitations
      #expect(try allowed.redeem(codes.typed[index], at: 0) == .scorer, "\(codes.typed[index])")
      for _ in 0..<Invitation.failureLimit {
        let guess = PairingCodes(&generator).typed[index]
        if guess != codes.typed[index] { _ = refusal(guess, at: 0) }
      }
      for text in codes.typed { #expect(refusal(text, at: 0) == .tooManyTries, "\(text)") }
      #expect(refusal(codes.secret, at: 0) == nil)
      invitations = Invitations()
    }
  }

  @Test("Wrong secrets, and digits while no invitation is open, do not count")
  mutating func notCounted() {
    for _ in 0..<100 { #expect(refusal("000000", at: 0) == .noInvitation) }
    let invitation = invite(.scorer, at: 0)
    for _ in 0..<100 {
      #expect(refusal(String(invitation.codes.secret.reversed()) + "x", at: 0) == .wrongCode)
    }
    #expect(refusal(invitation.code, at: 0) == nil)
  }

  @Test("Refused attempts are logged once a minute, with the number of the others")
  func log() {
    var refused = RefusedAttempts()
    let lines = (0..<130).compactMap { refused.line("no", at: Int64($0) * Self.second) }
    #expect(
      lines == [
        "a phone was not paired: no", "a phone was not paired: no (and 59 more since the last such line)",
        "a phone was not paired: no (and 59 more since the last such line)",
      ])
  }
}

extension Invitation {
  fileprivate var code: String { codes.typed[0] }
}

// SPDX-License-Identifier: Apache-2.0

import Varlink
import WebServer

/// Why a request is refused.
package struct RequestRefusal: Error, Hashable, Sendable {
  package var status: Int
  /// A sentence for people.
  package var message: String
  /// For the log: a text without parts of the request. Nil: it is not logged, because it happens in normal
  /// use.
  package var logged: String?
  /// Whether the same request, sent again, would be refused again. If false, the refusal says nothing about
  /// an earlier request with the same id that got no answer.
  package var isFinal = true
  package var headers: [HTTPResponse.Header] = []
  /// The daemon's error, for pages that describe it in their own language; nil: there is none.
  package var cause: VarlinkError?

  package init(
    _ status: Int, _ message: String, logged: String? = nil, headers: [HTTPResponse.Header] = []
  ) {
    self.status = status
    self.message = message
    self.logged = logged
    self.headers = headers
  }

  /// The address accepts only these methods.
  static func method(isNot methods: [String]) -> RequestRefusal {
    RequestRefusal(
      405, "This address accepts only \(methods.joined(separator: " and ")).",
      headers: [.init("Allow", methods.joined(separator: ", "))])
  }

  /// A request without a token that needs one.
  static let withoutToken = RequestRefusal(
    401,
    "A token is missing: send the header field 'Authorization: Bearer TOKEN'. 'flipclockctl remote token' prints one.",
    headers: [.challenge()])
}

extension HTTPResponse.Header {
  /// How a program shows that it may do something (RFC 6750).
  ///
  /// - Parameter error: what is wrong with the token.
  static func challenge(error: String? = nil) -> HTTPResponse.Header {
    .init("WWW-Authenticate", "Bearer realm=\"flipclock\"" + (error.map { ", error=\"\($0)\"" } ?? ""))
  }

  static func retry(after seconds: Int) -> HTTPResponse.Header { .init("Retry-After", "\(seconds)") }
}

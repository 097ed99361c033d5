// SPDX-License-Identifier: Apache-2.0

import Commands

extension NetworkNotice {
  package static let accessPoint = AccessPoint(
    name: "flipclock-ab12", password: "MXK4WQ7R", url: "http://10.42.0.1:8080/")

  /// One of each phase and of each problem.
  package static let samples: [NetworkNotice] =
    [
      NetworkNotice(.accessPoint, accessPoint: accessPoint), NetworkNotice(.joining, network: "Home"),
      NetworkNotice(.joined, network: "Home"),
    ]
    + Problem.allCases.flatMap {
      [
        NetworkNotice(.failed, network: "Home", problem: $0),
        NetworkNotice(.accessPoint, network: "Home", problem: $0, accessPoint: accessPoint),
      ]
    }
}

// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import WebRemote

@Suite("The number of owners that the daemon knows") struct OwnerReportTests {
  @Test("It is reported at each connection, and when a phone is paired or forgotten")
  func reports() throws {
    let wall = try WebRig()
    func last(is count: Int, after reports: Int) throws {
      let handler = wall.daemon.handler
      try wall.loop.turn { handler.owners.count > reports && handler.owners.last == count }
    }
    try last(is: 0, after: 0)
    // While there is no owner, the first scorer becomes one.
    _ = try wall.pair()
    try last(is: 1, after: 1)
    _ = try wall.pair("654321")
    try last(is: 1, after: 2)
    _ = try wall.pair("246810")
    try last(is: 2, after: 3)
    var reports = wall.daemon.handler.owners.count
    wall.daemon.stop()
    let link = wall.service.link
    try wall.loop.turn { !link.isConnected }
    try wall.daemon.start()
    try wall.loop.turn { link.isConnected }
    try last(is: 2, after: reports)
    reports = wall.daemon.handler.owners.count
    _ = try wall.call("Forget", [:])
    try last(is: 0, after: reports)
  }
}

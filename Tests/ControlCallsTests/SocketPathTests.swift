// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ControlCalls

@Suite struct SocketPathTests {
  @Test(
    "The sockets to try: the option's or the variable's, otherwise the service's and the user's",
    arguments: [
      (nil, [:], ["/run/flipclock/control.sock"]),
      (
        nil, ["XDG_RUNTIME_DIR": "/run/user/1000"],
        ["/run/flipclock/control.sock", "/run/user/1000/flipclock/control.sock"]
      ),
      (nil, ["XDG_RUNTIME_DIR": "/x/"], ["/run/flipclock/control.sock", "/x/flipclock/control.sock"]),
      (nil, ["XDG_RUNTIME_DIR": "/run"], ["/run/flipclock/control.sock"]),
      (nil, ["XDG_RUNTIME_DIR": "", "FLIPCLOCK_SOCKET": ""], ["/run/flipclock/control.sock"]),
      (nil, ["XDG_RUNTIME_DIR": "relative"], ["/run/flipclock/control.sock"]),
      (nil, ["FLIPCLOCK_SOCKET": "/v", "XDG_RUNTIME_DIR": "/x"], ["/v"]),
      ("/o", ["FLIPCLOCK_SOCKET": "/v"], ["/o"]), ("", [:], [""]),
    ] as [(String?, [String: String], [String])])
  func socketPaths(_ option: String?, _ environment: [String: String], _ expected: [String]) {
    #expect(SocketPath.candidates(option: option) { environment[$0] } == expected)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxSystem

@Suite("The machine's addresses") struct NetworkAddressTests {
  private static let routes = """
    Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
    docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
    wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
    eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
    eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0

    """
  private static let loopback = NetworkAddress(interface: "lo", text: "127.0.0.1", isLoopback: true)
  private static let bridge = NetworkAddress(interface: "docker0", text: "172.17.0.1")
  private static let wireless = NetworkAddress(interface: "wlan0", text: "192.168.1.21")
  private static let wired = NetworkAddress(interface: "eth0", text: "192.168.1.20")
  private static let link = NetworkAddress(interface: "eth0", text: "169.254.3.4", isLinkLocal: true)
  private static let link6 = NetworkAddress(
    interface: "eth0", text: "fe80::1", isIPv6: true, isLinkLocal: true)
  private static let global6 = NetworkAddress(interface: "eth0", text: "2001:db8::1", isIPv6: true)

  @Test("Every order of the interfaces gives the address of the default route")
  func order() {
    var addresses = [
      Self.loopback, Self.bridge, Self.wireless, Self.wired, Self.link, Self.link6, Self.global6,
    ]
    for _ in addresses.indices {
      addresses.append(addresses.removeFirst())
      #expect(NetworkAddress.reachable(addresses, routes: Self.routes) == Self.wired)
      #expect(NetworkAddress.reachable(addresses.reversed(), routes: Self.routes) == Self.wired)
    }
  }

  @Test("Without a default route, any address is used that is not only local")
  func fallback() {
    #expect(NetworkAddress.reachable([Self.loopback, Self.link, Self.bridge], routes: "") == Self.bridge)
    #expect(
      NetworkAddress.reachable([Self.link6, Self.global6], routes: Self.routes)?.host == "[2001:db8::1]")
    #expect(NetworkAddress.reachable([Self.loopback, Self.link, Self.link6], routes: Self.routes) == nil)
    #expect(NetworkAddress.reachable([], routes: Self.routes) == nil)
  }

  @Test("A table of routes that is cut off anywhere is read as far as possible")
  func cut() {
    for count in 0..<Self.routes.count {
      let interface = NetworkAddress.defaultInterface(String(Self.routes.prefix(count)))
      #expect(interface == nil || interface == "wlan0" || interface == "eth0")
    }
  }

  @Test("The kernel's addresses include the loopback")
  func kernel() throws {
    let addresses = try NetworkAddress.all()
    #expect(addresses.contains { $0.text == "127.0.0.1" && $0.isLoopback && !$0.isIPv6 })
    #expect(addresses.allSatisfy { !$0.text.contains("%") })
  }

  @Test("Listening ports are read from the kernel's tables")
  func ports() {
    let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
    let tcp = head + "   0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0\n"
    let other = head + "   0: 0100007F:1F90 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000     0\n"
    let tcp6 =
      head
      + "   0: 00000000000000000000000000000000:1F91 00000000000000000000000000000000:0000 0A 00000000:00000000\n"
    #expect(ListeningPorts.contains(8080, in: [tcp, ""]))
    #expect(!ListeningPorts.contains(8080, in: [other, tcp6]))
    #expect(ListeningPorts.contains(8081, in: [other, tcp6]))
    for count in 0..<tcp6.count { _ = ListeningPorts.contains(8081, in: [String(tcp6.prefix(count))]) }
    #expect(!ListeningPorts.contains(8080, in: []))
  }
}

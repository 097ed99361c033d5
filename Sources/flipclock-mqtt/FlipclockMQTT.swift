// SPDX-License-Identifier: Apache-2.0

import CRelease
import MQTTRemote
import Remotes

@main
enum FlipclockMQTT {
  static func main() { MQTTRemoteProgram.main(commit: String(cString: flipclock_commit())) }
}

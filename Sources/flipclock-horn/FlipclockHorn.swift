// SPDX-License-Identifier: Apache-2.0

import CRelease
import HornRemote
import Remotes

@main
enum FlipclockHorn {
  static func main() { HornRemoteProgram.main(commit: String(cString: flipclock_commit())) }
}

// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// A number that is equal in two frames unless an animation began, ended, or was added or removed in between.
  /// Measurements use it to distinguish the first frame of an animation from later ones.
  package var animationDigest: Int {
    var hasher = Hasher()
    root.digestAnimations(at: time, into: &hasher)
    return hasher.finalize()
  }
}

extension Layer {
  fileprivate func digestAnimations(at time: Double, into hasher: inout Hasher) {
    for active in animations {
      hasher.combine(ObjectIdentifier(self))
      hasher.combine(active.name)
      hasher.combine(active.begin)
      hasher.combine(active.begin <= time)
      hasher.combine(active.hasEnded)
    }
    for layer in sublayers { layer.digestAnimations(at: time, into: &hasher) }
  }
}

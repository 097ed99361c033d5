// SPDX-License-Identifier: Apache-2.0

/// The kernel's ID of a KMS object. `Kind` makes the IDs of different object types different types.
struct ObjectID<Kind>: Hashable, Sendable {
  var rawValue: UInt32
  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Returns nil for 0, the kernel's "none".
  init?(nonzero rawValue: UInt32) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }
}

enum ConnectorKind {}
enum EncoderKind {}
enum CRTCKind {}
enum PlaneKind {}
enum FramebufferKind {}
enum PropertyKind {}

typealias ConnectorID = ObjectID<ConnectorKind>
typealias EncoderID = ObjectID<EncoderKind>
typealias CRTCID = ObjectID<CRTCKind>
typealias PlaneID = ObjectID<PlaneKind>
typealias FramebufferID = ObjectID<FramebufferKind>
typealias PropertyID = ObjectID<PropertyKind>

/// A property of a KMS object: its ID, and its value when it was read.
struct Property: Hashable, Sendable {
  var id: PropertyID
  var value: UInt64
}

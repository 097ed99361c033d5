// SPDX-License-Identifier: Apache-2.0

/// The kernel's number of a KMS object; `Kind` keeps a CRTC from passing as a plane.
struct ObjectID<Kind>: Hashable, Sendable {
  var rawValue: UInt32
  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Nil for the kernel's "none".
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

/// A property of a KMS object as it was read: its number and its value then.
struct Property: Hashable, Sendable {
  var id: PropertyID
  var value: UInt64
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Raster

/// Scanout memory with a framebuffer for it.
struct ScanoutBuffer {
  var framebuffer: FramebufferID
  /// The GEM handle.
  var handle: UInt32
  /// The mapped memory. Never read it: it is write-combined on many boards.
  var pixels: PixelBuffer
  var byteCount: Int
}

extension DRMDevice {
  /// Creates a dumb buffer, mapped for writing, with a framebuffer for it.
  ///
  /// Success does not mean that the buffer can be displayed: some drivers reject the memory or the format
  /// only at the flip.
  func createBuffer(_ size: PixelSize, format: ScanoutFormat) throws(SystemError) -> ScanoutBuffer {
    let (width, height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
    let bytesPerPixel = format.pixelFormat.bytesPerPixel
    let buffer = try calls.createDumbBuffer(width: width, height: height, bits: UInt32(bytesPerPixel * 8))
    var framebuffer: UInt32 = 0
    do throws(SystemError) {
      // Use the driver's pitch, but check that it can hold what will be written.
      let needed = UInt64(buffer.pitch) * UInt64(height)
      guard Int(buffer.pitch) >= size.width * bytesPerPixel, needed <= buffer.byteCount,
        buffer.byteCount <= UInt64(Int.max), buffer.pitch % UInt32(bytesPerPixel) == 0
      else { throw SystemError("DRM_IOCTL_MODE_CREATE_DUMB", path, errno: Errno(rawValue: EINVAL)) }
      framebuffer = try calls.addFramebuffer(buffer, width: width, height: height, fourCC: format.fourCC)
      let pixels = PixelBuffer(
        base: try calls.map(buffer), width: size.width, height: size.height, bytesPerRow: Int(buffer.pitch),
        format: format.pixelFormat)
      return ScanoutBuffer(
        framebuffer: FramebufferID(framebuffer), handle: buffer.handle, pixels: pixels,
        byteCount: Int(buffer.byteCount))
    } catch {
      if framebuffer != 0 { calls.removeFramebuffer(framebuffer) }
      calls.destroyDumbBuffer(buffer.handle)
      throw error
    }
  }

  /// Destroys the framebuffer and frees the memory. On many drivers this turns the CRTC off if the
  /// framebuffer is on the display.
  func destroyBuffer(_ buffer: ScanoutBuffer) {
    calls.unmap(buffer.pixels.base, byteCount: buffer.byteCount)
    calls.removeFramebuffer(buffer.framebuffer.rawValue)
    calls.destroyDumbBuffer(buffer.handle)
  }
}

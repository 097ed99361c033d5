// SPDX-License-Identifier: Apache-2.0

import CDRM
import Glibc
import LinuxSystem
import Raster

extension DRMDevice {
  /// The corresponding C functions are `drmModeCreateDumbBuffer`, `drmModeAddFB2`, `drmModeMapDumbBuffer` and
  /// `mmap`. Success does not mean that the buffer can be displayed: some drivers reject the memory or the
  /// format only at the flip.
  func createBuffer(_ size: PixelSize, format: ScanoutFormat) throws(SystemError) -> ScanoutBuffer {
    let (width, height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
    let bits = UInt32(format.pixelFormat.bytesPerPixel * 8)
    var handle: UInt32 = 0
    var pitch: UInt32 = 0
    var byteCount: UInt64 = 0
    var result = drmModeCreateDumbBuffer(fileDescriptor, width, height, bits, 0, &handle, &pitch, &byteCount)
    if result != 0 { throw failure("DRM_IOCTL_MODE_CREATE_DUMB", result) }

    var framebuffer: UInt32 = 0
    do throws(SystemError) {
      // Use the driver's pitch, but check that it can hold what will be written.
      let needed = UInt64(pitch) * UInt64(height)
      guard Int(pitch) >= size.width * format.pixelFormat.bytesPerPixel, needed <= byteCount,
        pitch % UInt32(format.pixelFormat.bytesPerPixel) == 0
      else { throw SystemError("DRM_IOCTL_MODE_CREATE_DUMB", path, errno: Errno(rawValue: EINVAL)) }

      let handles = [handle, 0, 0, 0]
      let pitches = [pitch, 0, 0, 0]
      let offsets: [UInt32] = [0, 0, 0, 0]
      result = drmModeAddFB2(
        fileDescriptor, width, height, format.fourCC, handles, pitches, offsets, &framebuffer, 0)
      if result != 0 { throw failure("DRM_IOCTL_MODE_ADDFB2", result) }

      var offset: UInt64 = 0
      result = drmModeMapDumbBuffer(fileDescriptor, handle, &offset)
      if result != 0 { throw failure("DRM_IOCTL_MODE_MAP_DUMB", result) }
      // The mapping is write-only, because reading write-combined memory is slower by orders of magnitude. Common
      // hardware cannot enforce this; the tests check that nothing reads the buffer.
      let base = mmap(nil, Int(byteCount), PROT_WRITE, MAP_SHARED, fileDescriptor, off_t(offset))
      guard let base, base != MAP_FAILED else { throw SystemError("mmap", path) }
      let pixels = PixelBuffer(
        base: base, width: size.width, height: size.height, bytesPerRow: Int(pitch),
        format: format.pixelFormat)
      return ScanoutBuffer(
        framebuffer: FramebufferID(framebuffer), handle: handle, pixels: pixels, byteCount: Int(byteCount))
    } catch {
      if framebuffer != 0 { _ = drmModeRmFB(fileDescriptor, framebuffer) }
      _ = drmModeDestroyDumbBuffer(fileDescriptor, handle)
      throw error
    }
  }

  /// On many drivers, destroying a framebuffer that is on the display turns the CRTC off.
  func destroyBuffer(_ buffer: ScanoutBuffer) {
    _ = munmap(buffer.pixels.base, buffer.byteCount)
    _ = drmModeRmFB(fileDescriptor, buffer.framebuffer.rawValue)
    _ = drmModeDestroyDumbBuffer(fileDescriptor, buffer.handle)
  }
}

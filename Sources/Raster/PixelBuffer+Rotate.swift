// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Copies `sourceRect` as a part of the rotated source: the whole source is rotated and placed at the top
  /// left of this buffer, but only this part is copied.
  ///
  /// ARGB8888 and XRGB8888 can be copied to each format except A8, as by `copy` without a rotation. Other
  /// combinations are copied only without rotation. The buffers must not overlap.
  public func copy(
    _ source: PixelBuffer, _ sourceRect: PixelRect, rotation: Rotation, dithering: Dithering = .none
  ) {
    guard rotation != .none else {
      copy(source, sourceRect, to: sourceRect.x, sourceRect.y, dithering: dithering, clip: bounds)
      return
    }
    let part = sourceRect.saturated.intersection(source.bounds)
    let target = rotation.place(part, in: source.size).intersection(bounds)
    guard source.is32Bit, format != .a8, !target.isEmpty else { return }
    let from = rotation.inverse.place(target, in: rotation.size(of: source.size))
    if is32Bit {
      let mask = source.format == .xrgb8888 || format == .xrgb8888 ? Kernels.opaque : 0
      source.turn(
        from, rotation, into: row32(target.y) + target.x, stride: bytesPerRow / 4, setting: mask)
      return
    }
    // Rotates blocks on the stack. Their rows are whole cache lines, even with 16 bits per pixel.
    let block = PixelSize(width: 32, height: 8)
    withUnsafeTemporaryAllocation(byteCount: block.width * block.height * 4, alignment: 16) { memory in
      guard let pixels = memory.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
      var y = target.y
      while y < target.maxY {
        let height = min(block.height, target.maxY - y)
        var x = target.x
        while x < target.maxX {
          let here = PixelRect(x: x, y: y, width: min(block.width, target.maxX - x), height: height)
          let from = rotation.inverse.place(here, in: rotation.size(of: source.size))
          source.turn(from, rotation, into: pixels, stride: block.width, setting: 0)
          for line in 0..<height {
            convertRow(to: (x, y + line), pixels + line * block.width, count: here.width, dithering)
          }
          x += here.width
        }
        y += height
      }
    }
  }

  /// Rotates `rect` of this buffer; `destination` is the top left pixel of the result.
  private func turn(
    _ rect: PixelRect, _ rotation: Rotation, into destination: UnsafeMutablePointer<UInt32>, stride: Int,
    setting mask: UInt32
  ) {
    let sourceStride = bytesPerRow / 4
    switch rotation {
    case .none:
      break
    case .clockwise:
      // The last row becomes the first column.
      Kernels.transpose(
        destination, stride: stride, row32(rect.maxY - 1) + rect.x, sourceStride: -sourceStride,
        width: rect.width, height: rect.height, setting: mask)
    case .counterclockwise:
      // The first column becomes the last row.
      Kernels.transpose(
        destination + (rect.width - 1) * stride, stride: -stride, row32(rect.y) + rect.x,
        sourceStride: sourceStride, width: rect.width, height: rect.height, setting: mask)
    case .half:
      for line in 0..<rect.height {
        Kernels.reverse(
          destination + line * stride, row32(rect.maxY - 1 - line) + rect.x, count: rect.width, setting: mask)
      }
    }
  }
}

# SPDX-License-Identifier: Apache-2.0
"""Pictures that the tests compare: 8-bit RGB rows, read from PNG, PPM and framebuffers, and the CRC that vkms
computes for them."""

import struct
import zlib


class Picture:
    """A picture. `rgb` has three bytes per pixel, in rows from the top without padding."""

    def __init__(self, width, height, rgb):
        if len(rgb) != width * height * 3:
            raise ValueError(f"{len(rgb)} bytes are not a {width}x{height} picture")
        self.width = width
        self.height = height
        self.rgb = bytes(rgb)

    def __eq__(self, other):
        return (self.width, self.height, self.rgb) == (other.width, other.height, other.rgb)

    def __hash__(self):
        return hash((self.width, self.height, self.rgb))

    def difference(self, other):
        """Returns None if equal; otherwise how many pixels differ, and within which rectangle."""
        if (self.width, self.height) != (other.width, other.height):
            return f"sizes differ: {self.width}x{self.height} and {other.width}x{other.height}"
        if self.rgb == other.rgb:
            return None
        stride = self.width * 3
        count, rows, left, right, example = 0, [], self.width, 0, None
        for y in range(self.height):
            mine = self.rgb[y * stride:(y + 1) * stride]
            its = other.rgb[y * stride:(y + 1) * stride]
            if mine == its:
                continue
            rows.append(y)
            for x in range(self.width):
                if mine[3 * x:3 * x + 3] != its[3 * x:3 * x + 3]:
                    count += 1
                    left, right = min(left, x), max(right, x)
                    example = example or (x, y, mine[3 * x:3 * x + 3].hex(), its[3 * x:3 * x + 3].hex())
        return (f"{count} pixels differ, within x {left}…{right}, y {rows[0]}…{rows[-1]}; "
                f"the first at {example[0]},{example[1]}: #{example[2]} and #{example[3]}")

    def is_blank(self):
        """Returns whether all pixels have the same colour."""
        return self.rgb == self.rgb[:3] * (self.width * self.height)

    def vkms_crc(self, from_565=False):
        """Returns the CRC that vkms reports if this picture is its whole scanout, in XRGB8888 or RGB565.

        Its composer (drivers/gpu/drm/vkms/vkms_composer.c) widens each pixel to four 16-bit channels a, r, g,
        b and runs crc32_le over the rows, from 0 and without the inversions of zlib's crc32.
        """
        wide = bytearray(b"\xff\xff") * (self.width * self.height * 4)
        for channel in range(3):
            values = self.rgb[channel::3]
            bits = (5, 6, 5)[channel] if from_565 else 8
            most = (1 << bits) - 1
            table = [((value >> 8 - bits) * 65535 + most // 2) // most for value in range(256)]
            wide[2 + 2 * channel::8] = values.translate(bytes(value & 255 for value in table))
            wide[3 + 2 * channel::8] = values.translate(bytes(value >> 8 for value in table))
        return zlib.crc32(wide, 0xFFFFFFFF) ^ 0xFFFFFFFF

    def turned(self, degrees):
        """Returns the picture rotated clockwise by 0, 90, 180 or 270 degrees."""
        rgb, width = bytearray(len(self.rgb)), self.width
        for channel in range(3):
            plane = self.rgb[channel::3]
            if degrees == 90:
                plane = b"".join(plane[x::width][::-1] for x in range(width))
            elif degrees == 180:
                plane = plane[::-1]
            elif degrees == 270:
                plane = b"".join(plane[x::width] for x in reversed(range(width)))
            rgb[channel::3] = plane
        return Picture(*((self.width, self.height) if degrees in (0, 180) else (self.height, self.width)), rgb)

    def in_565(self, dithered):
        """Returns the picture as RGB565 shows it, with Bayer's 8×8 ordered dither or truncated."""
        tables = {}
        for bits in (5, 6):
            for rank in range(64):
                # The dither first scales values so that 255 becomes exactly the highest level (31 * 8 for 5
                # bits), so white stays white.
                def level(value, bits=bits, rank=rank):
                    return (value - (value >> bits) + (rank >> bits - 2)) >> 8 - bits if dithered else value >> 8 - bits

                tables[bits, rank] = bytes(_widened(level(value), bits) for value in range(256))
        rgb, stride = bytearray(self.rgb), self.width * 3
        for y in range(self.height):
            row = rgb[y * stride:(y + 1) * stride]
            for x in range(min(8, self.width)):
                for channel, bits in enumerate((5, 6, 5)):
                    first = 3 * x + channel
                    row[first::24] = row[first::24].translate(tables[bits, _bayer(x, y)])
            rgb[y * stride:(y + 1) * stride] = row
        return Picture(self.width, self.height, rgb)

    def png(self):
        """Returns the picture as the bytes of a PNG file."""
        stride = self.width * 3
        rows = b"".join(
            b"\0" + self.rgb[y * stride:(y + 1) * stride] for y in range(self.height))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        return (_SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, 6))
                + _chunk(b"IEND", b""))


def _bayer(x, y):
    """Returns the position's threshold in the dither matrix, 0 to 63."""
    rank = 0
    for bit in range(3):
        rank = 4 * rank + 2 * (x >> bit & 1 ^ y >> bit & 1) + (y >> bit & 1)
    return rank


def _widened(value, bits):
    """Widens a level of five or six bits to eight by repeating its upper bits."""
    return value << 8 - bits | value >> 2 * bits - 8


_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def _chunk(kind, contents):
    return struct.pack(">I", len(contents)) + kind + contents + struct.pack(">I", zlib.crc32(kind + contents))


def from_ppm(data):
    """Reads QEMU's screendump, an 8-bit binary PPM with a header of three lines."""
    magic, size, depth, rgb = data.split(b"\n", 3)
    if magic != b"P6" or depth != b"255":
        raise ValueError("not an 8-bit PPM")
    width, height = map(int, size.split())
    return Picture(width, height, rgb)


def from_bgrx(width, height, data):
    """Reads DRM_FORMAT_XRGB8888 from its memory layout."""
    rgb = bytearray(width * height * 3)
    for channel in range(3):
        rgb[channel::3] = data[2 - channel::4]
    return Picture(width, height, rgb)


def from_565(width, height, data):
    """Reads DRM_FORMAT_RGB565 from its memory layout."""
    rgb = bytearray(width * height * 3)
    pixels = struct.unpack(f"<{width * height}H", data)
    for channel, (shift, bits) in enumerate(((11, 5), (5, 6), (0, 5))):
        wide = [_widened(level, bits) for level in range(1 << bits)]
        mask = (1 << bits) - 1
        rgb[channel::3] = bytes(wide[pixel >> shift & mask] for pixel in pixels)
    return Picture(width, height, rgb)


def from_2101010(width, height, data):
    """Reads DRM_FORMAT_XRGB2101010 from its memory layout. All levels must be 8-bit levels with repeated
    upper bits."""
    rgb = bytearray(width * height * 3)
    pixels = struct.unpack(f"<{width * height}I", data)
    for channel, shift in enumerate((20, 10, 0)):
        levels = [pixel >> shift & 1023 for pixel in pixels]
        rgb[channel::3] = bytes(level >> 2 for level in levels)
        if any(level & 3 != level >> 8 for level in set(levels)):
            raise ValueError("a ten-bit level is not a widened 8-bit level")
    return Picture(width, height, rgb)


def from_scanout(width, height, fourcc, data):
    """Reads a framebuffer's content by the name of its format."""
    formats = {"XR24": from_bgrx, "AR24": from_bgrx, "RG16": from_565, "XR30": from_2101010}
    return formats[fourcc](width, height, data)


def from_png(data):
    """Reads a non-interlaced 8-bit truecolour PNG, with or without alpha (which is dropped)."""
    if data[:8] != _SIGNATURE:
        raise ValueError(f"not a PNG: {data[:16]!r}")
    position, compressed, header = 8, [], None
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        contents = data[position + 8:position + 8 + length]
        (check,) = struct.unpack_from(">I", data, position + 8 + length)
        if zlib.crc32(kind + contents) != check:
            raise ValueError(f"chunk {kind!r} is damaged")
        position += 12 + length
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", contents)
        elif kind == b"IDAT":
            compressed.append(contents)
        elif kind == b"IEND":
            break
    width, height, depth, colour, _, _, interlace = header
    if depth != 8 or colour not in (2, 6) or interlace:
        raise ValueError(f"depth {depth}, colour type {colour}, interlace {interlace} are not supported")
    channels = 3 if colour == 2 else 4
    rows = _unfiltered(zlib.decompress(b"".join(compressed)), width * channels, height, channels)
    if channels == 3:
        return Picture(width, height, rows)
    rgb = bytearray(width * height * 3)
    for channel in range(3):
        rgb[channel::3] = rows[channel::4]
    return Picture(width, height, rgb)


def _unfiltered(data, stride, height, step):
    """Undoes the row filters of PNG (section 9 of the specification)."""
    out = bytearray()
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = data[start], bytearray(data[start + 1:start + 1 + stride])
        if kind == 1:
            for x in range(step, stride):
                row[x] = (row[x] + row[x - step]) & 255
        elif kind == 2:
            row = _sum(row, above)
        elif kind == 3:
            for x in range(stride):
                left = row[x - step] if x >= step else 0
                row[x] = (row[x] + (left + above[x]) // 2) & 255
        elif kind == 4:
            for x in range(stride):
                left, corner = (row[x - step], above[x - step]) if x >= step else (0, 0)
                row[x] = (row[x] + _paeth(left, above[x], corner)) & 255
        elif kind != 0:
            raise ValueError(f"unknown row filter {kind}")
        out += row
        above = row
    return out


def _sum(one, other):
    """Adds two rows byte by byte, modulo 256. Each row is one number; sums of the bytes' lower seven bits do
    not carry into the next byte."""
    size = len(one)
    low, high = (int.from_bytes(bytes([bits]) * size, "little") for bits in (0x7F, 0x80))
    first, second = int.from_bytes(one, "little"), int.from_bytes(other, "little")
    return bytearray((((first & low) + (second & low)) ^ ((first ^ second) & high)).to_bytes(size, "little"))


def _paeth(left, up, corner):
    estimate = left + up - corner
    to_left, to_up, to_corner = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner

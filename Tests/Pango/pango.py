# SPDX-License-Identifier: Apache-2.0
"""Prints how Pango sets lines of text, for `PangoTests`.

    FONTCONFIG_FILE=… python3 pango.py FONT < lines

The only fonts are those of the fontconfig configuration. For each line of the input one line is printed. It has three
numbers for each glyph, from left to right: its index in the font, and its position across and down from the pen's
start, in ems. The last number is the width of the line in ems.
"""

import ctypes
import sys

pango = ctypes.CDLL("libpango-1.0.so.0")
pangoft2 = ctypes.CDLL("libpangoft2-1.0.so.0")
Pointer = ctypes.c_void_p
EM = 1000 * 1024  # 1000 pixels, in Pango's units


class Glyph(ctypes.Structure):
    """PangoGlyphInfo"""
    _fields_ = [("index", ctypes.c_uint32), ("width", ctypes.c_int32), ("x", ctypes.c_int32), ("y", ctypes.c_int32),
                ("attributes", ctypes.c_uint32)]


class GlyphString(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int), ("glyphs", ctypes.POINTER(Glyph)), ("clusters", Pointer)]


class GlyphItem(ctypes.Structure):
    _fields_ = [("item", Pointer), ("glyphs", ctypes.POINTER(GlyphString))]


def function(library, name, *arguments, result=None):
    found = getattr(library, name)
    found.argtypes, found.restype = arguments, result
    return found


def main():
    new_map = function(pangoft2, "pango_ft2_font_map_new", result=Pointer)
    new_context = function(pango, "pango_font_map_create_context", Pointer, result=Pointer)
    round_positions = function(pango, "pango_context_set_round_glyph_positions", Pointer, ctypes.c_int)
    font = function(pango, "pango_font_description_from_string", ctypes.c_char_p, result=Pointer)
    set_size = function(pango, "pango_font_description_set_absolute_size", Pointer, ctypes.c_double)
    new_layout = function(pango, "pango_layout_new", Pointer, result=Pointer)
    set_font = function(pango, "pango_layout_set_font_description", Pointer, Pointer)
    set_text = function(pango, "pango_layout_set_text", Pointer, ctypes.c_char_p, ctypes.c_int)
    new_iterator = function(pango, "pango_layout_get_iter", Pointer, result=Pointer)
    get_run = function(pango, "pango_layout_iter_get_run_readonly", Pointer, result=ctypes.POINTER(GlyphItem))
    next_run = function(pango, "pango_layout_iter_next_run", Pointer, result=ctypes.c_int)

    context = new_context(new_map())
    round_positions(context, 0)
    description = font(sys.argv[1].encode())
    set_size(description, EM)
    for line in sys.stdin.buffer.read().split(b"\n")[:-1]:
        layout = new_layout(context)
        set_font(layout, description)
        set_text(layout, line, len(line))
        iterator = new_iterator(layout)
        pen, words = 0, []
        while run := get_run(iterator):
            glyphs = run.contents.glyphs.contents
            for glyph in glyphs.glyphs[:glyphs.count]:
                words += [glyph.index, (pen + glyph.x) / EM, glyph.y / EM]
                pen += glyph.width
            if not next_run(iterator):
                break
        print(*words, pen / EM)


main()

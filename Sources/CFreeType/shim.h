// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_BBOX_H
#include FT_SYSTEM_H
#include FT_MULTIPLE_MASTERS_H
#include FT_TRUETYPE_TABLES_H

// What Swift cannot express: macros, callbacks, and the fields of FT_Outline, whose C types differ between
// FreeType 2.12 (Debian 12) and 2.13.3 (Debian 13).

// MARK: Streams

/// Reads a font file with pread(2). FreeType's own stream maps the file, and if a mapped file is truncated in
/// place the process gets SIGBUS; a short read is an ordinary error.
static inline unsigned long flipclock_ft_read(
    FT_Stream stream, unsigned long offset, unsigned char *buffer, unsigned long count) {
  if (count == 0)
    return offset > stream->size;  // a seek: zero is success
  unsigned long done = 0;
  while (done < count) {
    ssize_t n = pread((int)stream->descriptor.value, buffer + done, count - done, (off_t)(offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    done += (unsigned long)n;
  }
  return done;
}

static inline void flipclock_ft_close(FT_Stream stream) {
  if (stream->descriptor.value >= 0)
    close((int)stream->descriptor.value);
  stream->descriptor.value = -1;
}

/// Opens face `index` of the font in `fd`. `stream` must outlive the face. `fd` is closed with the face, or
/// on failure.
static inline FT_Error flipclock_ft_open(
    FT_Library library, FT_Stream stream, int fd, unsigned long size, FT_Long index, FT_Face *face) {
  memset(stream, 0, sizeof *stream);
  stream->size = size;
  stream->descriptor.value = fd;
  stream->read = flipclock_ft_read;
  stream->close = flipclock_ft_close;
  FT_Open_Args args;
  memset(&args, 0, sizeof args);
  args.flags = FT_OPEN_STREAM;
  args.stream = stream;
  FT_Error error = FT_Open_Face(library, &args, index, face);
  if (error)
    flipclock_ft_close(stream);
  return error;
}

static inline int flipclock_ft_has_outlines(FT_Face face) { return FT_IS_SCALABLE(face) && !FT_HAS_COLOR(face); }

/// Sets the `wght` axis of a variable font, limited to the range of the axis, and the other axes to their
/// defaults. Does nothing to a font with no axes or with more than 16.
static inline void flipclock_ft_set_weight(FT_Library library, FT_Face face, int weight) {
  FT_MM_Var *axes = NULL;
  FT_Fixed coordinates[16];
  if (!FT_HAS_MULTIPLE_MASTERS(face) || FT_Get_MM_Var(face, &axes))
    return;
  if (axes->num_axis <= 16) {
    for (FT_UInt i = 0; i < axes->num_axis; i++) {
      FT_Var_Axis *axis = &axes->axis[i];
      FT_Fixed value = axis->def;
      if (axis->tag == FT_MAKE_TAG('w', 'g', 'h', 't')) {
        value = (FT_Fixed)weight << 16;
        if (value < axis->minimum)
          value = axis->minimum;
        if (value > axis->maximum)
          value = axis->maximum;
      }
      coordinates[i] = value;
    }
    FT_Set_Var_Design_Coordinates(face, axes->num_axis, coordinates);
  }
  FT_Done_MM_Var(library, axes);
}

/// sCapHeight from the OS/2 table, in font units; 0 if the font does not specify it.
static inline int flipclock_ft_cap_height(FT_Face face) {
  TT_OS2 *os2 = (TT_OS2 *)FT_Get_Sfnt_Table(face, FT_SFNT_OS2);
  return os2 && os2->version != 0xffff && os2->version >= 2 && os2->sCapHeight > 0 ? os2->sCapHeight : 0;
}

// MARK: Outlines

/// Loads a glyph in font units. Returns 0 if it cannot be loaded or is not an outline.
static inline int flipclock_ft_load(FT_Face face, FT_UInt glyph, int *points, int *contours, FT_Pos *advance) {
  if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP | FT_LOAD_IGNORE_TRANSFORM))
    return 0;
  FT_GlyphSlot slot = face->glyph;
  if (slot->format != FT_GLYPH_FORMAT_OUTLINE || slot->outline.n_points < 0 || slot->outline.n_contours < 0)
    return 0;
  *points = slot->outline.n_points;
  *contours = slot->outline.n_contours;
  *advance = slot->metrics.horiAdvance;
  return 1;
}

/// Copies the last loaded glyph, its coordinates multiplied by 64, into arrays of the sizes that
/// `flipclock_ft_load` returned.
static inline void flipclock_ft_copy(FT_Face face, FT_Vector *points, uint8_t *tags, uint16_t *ends) {
  const FT_Outline *outline = &face->glyph->outline;
  for (int i = 0; i < outline->n_points; i++) {
    points[i].x = outline->points[i].x * 64;
    points[i].y = outline->points[i].y * 64;
    tags[i] = (uint8_t)outline->tags[i] & 3;
  }
  for (int i = 0; i < outline->n_contours; i++)
    ends[i] = (uint16_t)outline->contours[i];
}

typedef struct flipclock_ft_outline {
  const FT_Vector *points;
  const uint8_t *tags;
  const uint16_t *ends;
  int n_points;
  int n_contours;
} flipclock_ft_outline;

static inline FT_Outline flipclock_ft_native(flipclock_ft_outline source) {
  FT_Outline outline;
  memset(&outline, 0, sizeof outline);
  outline.n_points = source.n_points;
  outline.n_contours = source.n_contours;
  outline.points = (FT_Vector *)source.points;
  outline.tags = (void *)source.tags;
  outline.contours = (void *)source.ends;
  return outline;
}

/// The exact bounds of the curves, not of their control points. Returns 0 for a malformed outline.
static inline int flipclock_ft_bounds(flipclock_ft_outline source, FT_BBox *bounds) {
  FT_Outline outline = flipclock_ft_native(source);
  return FT_Outline_Get_BBox(&outline, bounds) == 0;
}

/// A buffer of 8-bit coverage.
typedef struct flipclock_ft_mask {
  uint8_t *base;
  long stride;
  int width;
  int height;
} flipclock_ft_mask;

static inline void flipclock_ft_add_spans(int y, int count, const FT_Span *spans, void *user) {
  const flipclock_ft_mask *mask = (const flipclock_ft_mask *)user;
  int row = -1 - y;
  if (row < 0 || row >= mask->height)
    return;
  uint8_t *pixels = mask->base + row * mask->stride;
  for (int i = 0; i < count; i++) {
    int x = spans[i].x, end = x + spans[i].len;
    if (x < 0)
      x = 0;
    if (end > mask->width)
      end = mask->width;
    for (; x < end; x++) {
      unsigned sum = pixels[x] + spans[i].coverage;
      pixels[x] = (uint8_t)(sum > 255 ? 255 : sum);
    }
  }
}

/// Adds the coverage of an outline to `mask`, saturating. Coordinates are 26.6; y points up, and the mask's
/// top edge is at y = 0. Nothing outside the mask is touched. Returns FreeType's error code.
static inline FT_Error flipclock_ft_fill(FT_Library library, flipclock_ft_outline source, flipclock_ft_mask mask) {
  FT_Outline outline = flipclock_ft_native(source);
  // Spans store x in a short.
  if (mask.width > 32767)
    mask.width = 32767;
  if (mask.height > 32767)
    mask.height = 32767;
  FT_Raster_Params params;
  memset(&params, 0, sizeof params);
  params.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP;
  params.gray_spans = flipclock_ft_add_spans;
  params.user = &mask;
  params.clip_box.xMin = 0;
  params.clip_box.xMax = mask.width;
  params.clip_box.yMin = -mask.height;
  params.clip_box.yMax = 0;
  return FT_Outline_Render(library, &outline, &params);
}

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <png.h>

// libpng reports errors with longjmp, which must not cross a Swift frame. So every call that can fail is in a
// C function with its own setjmp, and libpng's callbacks are C functions too. `noinline` gives each setjmp
// its own frame.

#define FLIPCLOCK_PNG_MESSAGE 128

/// A PNG being written to memory.
typedef struct flipclock_png_writer {
  png_structp png;
  png_infop info;
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  char message[FLIPCLOCK_PNG_MESSAGE];
} flipclock_png_writer;

// The error pointer of libpng's structures is the message of a writer or a reader.
static inline void flipclock_png_on_error(png_structp png, png_const_charp message) {
  snprintf((char *)png_get_error_ptr(png), FLIPCLOCK_PNG_MESSAGE, "%s", message ? message : "");
  png_longjmp(png, 1);
}

static inline void flipclock_png_on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static inline void flipclock_png_on_write(png_structp png, png_bytep data, size_t length) {
  flipclock_png_writer *writer = (flipclock_png_writer *)png_get_io_ptr(png);
  if (length > SIZE_MAX / 2 - writer->count)
    png_error(png, "too large");
  size_t needed = writer->count + length;
  if (needed > writer->capacity) {
    size_t capacity = needed + needed / 2 + 4096;
    uint8_t *bytes = (uint8_t *)realloc(writer->bytes, capacity);
    if (!bytes)
      png_error(png, "out of memory");
    writer->bytes = bytes;
    writer->capacity = capacity;
  }
  memcpy(writer->bytes + writer->count, data, length);
  writer->count = needed;
}

static inline void flipclock_png_on_flush(png_structp png) { (void)png; }

/// Frees the writer's memory. The writer can be reused with `flipclock_png_begin`.
static inline __attribute__((noinline)) void flipclock_png_destroy(flipclock_png_writer *writer) {
  if (writer->png)
    png_destroy_write_struct(&writer->png, &writer->info);
  free(writer->bytes);
  writer->png = NULL;
  writer->info = NULL;
  writer->bytes = NULL;
  writer->count = writer->capacity = 0;
}

/// Writes the signature and IHDR of an 8-bit image. Returns 0 on failure, with `message` set.
static inline __attribute__((noinline)) int flipclock_png_begin(
    flipclock_png_writer *writer, uint32_t width, uint32_t height, int color_type, int level) {
  memset(writer, 0, sizeof *writer);
  writer->png = png_create_write_struct(
      PNG_LIBPNG_VER_STRING, writer->message, flipclock_png_on_error, flipclock_png_on_warning);
  if (writer->png)
    writer->info = png_create_info_struct(writer->png);
  if (!writer->info) {
    snprintf(writer->message, sizeof writer->message, "out of memory, or the libpng version does not match");
    return 0;
  }
  if (setjmp(png_jmpbuf(writer->png)))
    return 0;
  png_set_write_fn(writer->png, writer, flipclock_png_on_write, flipclock_png_on_flush);
  png_set_compression_level(writer->png, level);
  // A fixed filter, because choosing filters adaptively costs several times as much as deflate at level 1.
  // "Up" turns vertical gradients and plain backgrounds into runs of a single byte value.
  png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_set_IHDR(
      writer->png, writer->info, width, height, 8, color_type, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer->png, writer->info);
  return 1;
}

/// Writes the next row. Returns 0 on failure, with `message` set.
static inline __attribute__((noinline)) int flipclock_png_row(
    flipclock_png_writer *writer, const uint8_t *row) {
  if (setjmp(png_jmpbuf(writer->png)))
    return 0;
  png_write_row(writer->png, row);
  return 1;
}

/// Writes the end after the last row. Returns 0 on failure, with `message` set.
static inline __attribute__((noinline)) int flipclock_png_end(flipclock_png_writer *writer) {
  if (setjmp(png_jmpbuf(writer->png)))
    return 0;
  png_write_end(writer->png, NULL);
  return 1;
}

static inline const char *flipclock_png_message(const flipclock_png_writer *writer) {
  return writer->message;
}

/// A PNG in memory that is being read.
typedef struct flipclock_png_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count;
  size_t position;
  char message[FLIPCLOCK_PNG_MESSAGE];
} flipclock_png_reader;

static inline void flipclock_png_on_read(png_structp png, png_bytep data, size_t length) {
  flipclock_png_reader *reader = (flipclock_png_reader *)png_get_io_ptr(png);
  if (length > reader->count - reader->position)
    png_error(png, "the file ends too early");
  memcpy(data, reader->bytes + reader->position, length);
  reader->position += length;
}

/// Frees the reader's memory, but not the bytes.
static inline __attribute__((noinline)) void flipclock_png_close(flipclock_png_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
}

/// Reads everything before the pixels, and has all rows converted to straight 0xAARRGGBB in sRGB. A file that
/// says nothing about its gamma is in sRGB. Returns the number of passes over the rows, 7 if the image is
/// interlaced, otherwise 1; 0 on failure, with `message` set.
///
/// The bytes must stay where they are until `flipclock_png_close`.
static inline __attribute__((noinline)) int flipclock_png_open(
    flipclock_png_reader *reader, const uint8_t *bytes, size_t count, uint32_t largest_side) {
  memset(reader, 0, sizeof *reader);
  reader->bytes = bytes;
  reader->count = count;
  reader->png = png_create_read_struct(
      PNG_LIBPNG_VER_STRING, reader->message, flipclock_png_on_error, flipclock_png_on_warning);
  if (reader->png)
    reader->info = png_create_info_struct(reader->png);
  if (!reader->info) {
    snprintf(reader->message, sizeof reader->message, "out of memory, or the libpng version does not match");
    return 0;
  }
  if (setjmp(png_jmpbuf(reader->png)))
    return 0;
  png_set_read_fn(reader->png, reader, flipclock_png_on_read);
  png_set_user_limits(reader->png, largest_side, largest_side);
  png_set_crc_action(reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_alpha_mode(reader->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png_read_info(reader->png, reader->info);
  png_set_expand(reader->png);
  png_set_scale_16(reader->png);
  png_set_gray_to_rgb(reader->png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  png_set_bgr(reader->png);
  png_set_add_alpha(reader->png, 0xff, PNG_FILLER_AFTER);
#else
  png_set_swap_alpha(reader->png);
  png_set_add_alpha(reader->png, 0xff, PNG_FILLER_BEFORE);
#endif
  int passes = png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  if (png_get_rowbytes(reader->png, reader->info) != (size_t)png_get_image_width(reader->png, reader->info) * 4)
    png_error(reader->png, "unexpected pixels");
  return passes;
}

/// Reads the next row of a pass into `row`, which must have what the earlier passes wrote there. Returns 0 on
/// failure, with `message` set.
static inline __attribute__((noinline)) int flipclock_png_read(
    flipclock_png_reader *reader, uint32_t *row) {
  if (setjmp(png_jmpbuf(reader->png)))
    return 0;
  png_read_row(reader->png, (png_bytep)row, NULL);
  return 1;
}

/// Reads what follows the last row. Returns 0 on failure, with `message` set.
static inline __attribute__((noinline)) int flipclock_png_read_end(flipclock_png_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png)))
    return 0;
  png_read_end(reader->png, NULL);
  return 1;
}

static inline const char *flipclock_png_reader_message(const flipclock_png_reader *reader) {
  return reader->message;
}

// Macros of libpng, with the types that its functions and structures use.
static const int flipclock_png_gray = PNG_COLOR_TYPE_GRAY;
static const int flipclock_png_rgb = PNG_COLOR_TYPE_RGB;
static const int flipclock_png_rgba = PNG_COLOR_TYPE_RGB_ALPHA;

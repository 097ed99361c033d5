// SPDX-License-Identifier: Apache-2.0

import Images
import Layers
import Raster

/// The pictures of files at the sizes at which they are shown. All stages share one library, so each picture
/// is read once for each size.
package final class PictureLibrary {
  /// Reads a picture, and passes the result to the completion, inside this call or later.
  package typealias Load = (Picture, @escaping (Result<Bitmap, PictureError>) -> Void) -> Void

  enum State {
    case loading
    case shown(LayerImage)
    case failed(PictureError)
  }

  private struct Entry {
    var state: State
    /// What identifies the file's content, before it was read.
    var version: Picture.Version?
    /// The number of the last request for it.
    var used: Int

    var pixels: Int {
      if case .shown(let image) = state { image.bitmap.width * image.bitmap.height } else { 0 }
    }
  }

  /// Called when a picture has been read that `state` had to return as `loading`.
  package var arrived: () -> Void = {}

  private let load: Load
  private let warn: (String) -> Void
  private var entries: [Picture: Entry] = [:]
  private var requests = 0
  /// The files whose problems were reported: by the check of the config, and by `warn`.
  private var known: Set<String> = []
  private var warned: Set<String> = []

  /// Pictures are kept as long as all of them have at most this many times the pixels of the largest one: the
  /// one that is shown, the next one, and some for other pages.
  static let kept = 4
  /// The maximum number of pixels that are kept, 128 MiB. What a layer shows exists as long as the layer.
  static let pixelLimit = 32 << 20

  /// - Parameters:
  ///   - load: by default reads inside the call.
  ///   - warn: called with a line for each file that cannot be shown.
  package init(
    warn: @escaping (String) -> Void = { _ in },
    load: @escaping Load = { picture, completion in
      completion(Result { () throws(PictureError) in try picture.load() })
    }
  ) {
    (self.warn, self.load) = (warn, load)
  }

  /// The state of a picture. Begins to read it if that has not been done yet.
  func state(of picture: Picture) -> State {
    requests += 1
    if entries[picture] != nil {
      entries[picture]?.used = requests
    } else {
      entries[picture] = Entry(state: .loading, version: Picture.Version(of: picture.path), used: requests)
      var isInside = true
      load(picture) { [weak self] result in
        self?.receive(result, picture)
        if !isInside { self?.arrived() }
      }
      isInside = false
    }
    return entries[picture]?.state ?? .loading
  }

  private func receive(_ result: Result<Bitmap, PictureError>, _ picture: Picture) {
    switch result {
    case .success(let bitmap): entries[picture]?.state = .shown(LayerImage(bitmap))
    case .failure(let error):
      entries[picture]?.state = .failed(error)
      if !known.contains(picture.path), warned.insert(picture.path).inserted {
        warn(error.description(of: picture.path))
      }
    }
    dropUnused()
  }

  /// Drops the pictures that were not needed for the longest time.
  private func dropUnused() {
    let most = min(Self.kept * (entries.values.map(\.pixels).max() ?? 0), Self.pixelLimit)
    let oldest = entries.filter { $0.value.pixels > 0 }.sorted { $0.value.used < $1.value.used }
    for (picture, _) in oldest where keptPixels > most { entries[picture] = nil }
  }

  /// The number of pixels of all pictures that are kept.
  var keptPixels: Int { entries.values.map(\.pixels).reduce(0, +) }

  /// Has changed files, and those that could not be shown, read again when they are needed.
  package func renew() {
    (known, warned) = ([], [])
    entries = entries.filter { picture, entry in
      if case .failed = entry.state { return false }
      return entry.version == Picture.Version(of: picture.path)
    }
  }

  /// What is wrong with a file, as far as its beginning shows. The library does not warn about it again.
  package func problem(with path: String) -> PictureError? {
    let problem = Picture.problem(with: path, isWhole: false)
    if problem != nil { known.insert(path) }
    return problem
  }

  /// The problems of pictures that only reading them has shown, a line each.
  package var problems: [String] {
    var lines: Set<String> = []
    for (picture, entry) in entries where !known.contains(picture.path) {
      if case .failed(let error) = entry.state { lines.insert(error.description(of: picture.path)) }
    }
    return lines.sorted()
  }
}

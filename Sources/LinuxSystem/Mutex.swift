// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A mutex; the corresponding C functions are `pthread_mutex_init`, `pthread_mutex_lock` and
/// `pthread_mutex_unlock`.
package final class Mutex: @unchecked Sendable {
  /// The C mutex, for condition variables.
  let pointer: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    pointer = .allocate(capacity: 1)
    pthread_mutex_init(pointer, nil)
  }

  deinit {
    pthread_mutex_destroy(pointer)
    pointer.deallocate()
  }

  package func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(pointer)
    defer { pthread_mutex_unlock(pointer) }
    return body()
  }
}

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <microhttpd.h>

// Swift cannot call variadic functions, so each one has a function here that passes its arguments.

// Leaves the percent-escapes in the path and the query as the client sent them. Valid paths and queries have
// no escapes.
static inline size_t flipclock_http_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// Called when the first line of a request has arrived. MHD stores the result as the initial state of the
// request.
typedef void *(*flipclock_http_begun)(void *context, const char *uri, struct MHD_Connection *connection);

// Starts a server without threads and without a listening socket. Its epoll descriptor is readable when
// `MHD_run` is to be called. All callbacks get `context`.
static inline struct MHD_Daemon *flipclock_http_start(
    size_t connection_memory, unsigned int connection_limit, unsigned int timeout_seconds,
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connection,
    flipclock_http_begun begun, void *context) {
  // The memory of a connection grows in small steps, so that a short request uses little of it.
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
      MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)2048,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connection, context,
      MHD_OPTION_URI_LOG_CALLBACK, begun, context,
      MHD_OPTION_UNESCAPE_CALLBACK, flipclock_http_keep_escapes, NULL,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}

static inline int flipclock_http_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int flipclock_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The size of the request line and the header fields in bytes; SIZE_MAX before all of them have arrived.
static inline size_t flipclock_http_header_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : SIZE_MAX;
}

// The milliseconds after which to call `MHD_run` even if the epoll descriptor is not readable; -1: never.
static inline int64_t flipclock_http_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES)
    return -1;
  return milliseconds > INT32_MAX ? INT32_MAX : (int64_t)milliseconds;
}

// A response with a copy of the bytes.
static inline struct MHD_Response *flipclock_http_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// Macros, and constants whose names in Swift depend on the version of the library.
static const enum MHD_Result flipclock_http_yes = MHD_YES;
static const enum MHD_Result flipclock_http_no = MHD_NO;
static const enum MHD_ConnectionNotificationCode flipclock_http_started = MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_ValueKind flipclock_http_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind flipclock_http_arguments = MHD_GET_ARGUMENT_KIND;
static const uint64_t flipclock_http_unknown_size = MHD_SIZE_UNKNOWN;
static const ssize_t flipclock_http_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netdb.h>
#include <sys/socket.h>

// Looks up the host's addresses. Returns 0, or an error of getaddrinfo(3).
static inline int cmosquitto_look_up(const char *host) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  struct addrinfo *addresses = NULL;
  int error = getaddrinfo(host, NULL, &hints, &addresses);
  if (error == 0) freeaddrinfo(addresses);
  return error;
}

// Looks up the host and connects, which blocks. With MQTT 5, the broker may not send packets of more than
// `maximum_packet` bytes, and forgets the session when the connection ends. `error` receives errno, which
// after MOSQ_ERR_EAI is an error of getaddrinfo(3). Returns a MOSQ_ERR value.
static inline int cmosquitto_connect(struct mosquitto *client, const char *host, int port, int keepalive, int version,
                                     unsigned int maximum_packet, int *error) {
  mosquitto_property *properties = NULL;
  int result = mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version);
  if (result == MOSQ_ERR_SUCCESS && version == MQTT_PROTOCOL_V5) {
    result = mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, maximum_packet);
  }
  if (result == MOSQ_ERR_SUCCESS) {
    result = mosquitto_connect_bind_v5(client, host, port, keepalive, NULL, properties);
  }
  *error = errno;
  mosquitto_property_free_all(&properties);
  return result;
}

// Reads at most one packet. `would_block` is set if reading ended because the socket had no more data, or
// because the reply to the packet could not be sent at once.
static inline int cmosquitto_read(struct mosquitto *client, bool *would_block, int *error) {
  errno = 0;
  int result = mosquitto_loop_read(client, 1);
  *error = errno;
  *would_block = *error == EAGAIN || *error == EWOULDBLOCK;
  return result;
}

static inline int cmosquitto_write(struct mosquitto *client, int *error) {
  errno = 0;
  int result = mosquitto_loop_write(client, 1);
  *error = errno;
  return result;
}

// Without this callback, OpenSSL would ask for the password of an encrypted key on the terminal.
static inline int cmosquitto_no_password(char *buffer, int size, int rwflag, void *data) {
  (void)rwflag;
  (void)data;
  if (size > 0) buffer[0] = 0;
  return 0;
}

// Encrypts the connection and checks the broker's certificate: against the file `ca`, or else against the
// system's store.
static inline int cmosquitto_tls(struct mosquitto *client, const char *ca, const char *certificate, const char *key) {
  int result = mosquitto_tls_set(client, ca, ca ? NULL : "/etc/ssl/certs", certificate, key, cmosquitto_no_password);
  if (result == MOSQ_ERR_SUCCESS && !ca) result = mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  return result;
}

// With MQTT 5, disconnects and has the broker publish the will. With an older version, does nothing: the
// broker publishes the will when the connection is closed without a DISCONNECT packet.
static inline void cmosquitto_leave(struct mosquitto *client, int version) {
  if (version == MQTT_PROTOCOL_V5) mosquitto_disconnect_v5(client, MQTT_RC_DISCONNECT_WITH_WILL_MSG, NULL);
}

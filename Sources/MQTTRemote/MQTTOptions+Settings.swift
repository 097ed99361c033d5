// SPDX-License-Identifier: Apache-2.0

import HomeAssistant
import MQTT
import MQTTConfig

extension MQTTOptions {
  init(_ settings: MQTTSettings, host: String, _ topics: EntityTopics) {
    let broker = settings.broker
    self.init(
      host: host, port: broker.effectivePort,
      clientID: broker.clientID ?? "flipclock-\(topics.board)")
    username = broker.username
    password = broker.password?.text
    if broker.tls {
      tls = TLS(authorities: broker.ca, certificate: broker.certificate, key: broker.key)
    }
    will = MQTTMessage(topics.availability, "offline", isRetained: true)
  }
}

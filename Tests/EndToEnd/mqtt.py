# SPDX-License-Identifier: Apache-2.0
"""A client of an MQTT broker. It waits for the broker's confirmations, so that no test has to guess how long the
broker needs on a busy machine."""

import queue
import time

from paho.mqtt import client as paho

from EndToEnd.daemon import PATIENCE


class Client:
    """A connection to a broker, until `close` or the end of a `with` statement."""

    def __init__(self, port, set_up=lambda client: None):
        """Connects. `set_up` is called with paho's client before that, for a password or certificates."""
        # Version 2 of paho has another order of the callbacks' arguments, and asks for it.
        versions = getattr(paho, "CallbackAPIVersion", None)
        self._client = paho.Client(*([versions.VERSION2] if versions else []))
        set_up(self._client)
        connected, confirmed, messages = (queue.Queue() for _ in range(3))
        # These do not hold this object, so that its descriptors are closed when it is not used any more.
        self._client.on_connect = lambda *arguments: connected.put(arguments[3])
        self._client.on_subscribe = lambda *arguments: confirmed.put(arguments[-1])
        self._client.on_message = lambda _client, _data, message: messages.put(message)
        self._confirmed, self._messages = confirmed, messages
        self._client.connect("localhost", port)
        self._client.loop_start()
        try:
            reply = connected.get(timeout=20 * PATIENCE)
            assert reply == 0, f"the broker refuses the connection: {reply}"
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic, payload, retain=False):
        """Publishes a message, and waits until the broker has confirmed it (QoS 1)."""
        message = self._client.publish(topic, payload, 1, retain)
        message.wait_for_publish(20 * PATIENCE)
        assert message.is_published(), f"the broker does not confirm a message on {topic!r}"

    def send(self, topic, payload):
        """Publishes a message without a confirmation (QoS 0), for a broker that may not answer."""
        self._client.publish(topic, payload)

    def subscribe(self, topic):
        """Subscribes to a topic, and waits until the broker has confirmed it."""
        self._client.subscribe(topic)
        self._confirmed.get(timeout=20 * PATIENCE)

    def take(self, count, seconds=20 * PATIENCE):
        """Returns the payloads of the next messages that the broker has not kept; fewer than `count` if the time is
        over."""
        payloads, end = [], time.monotonic() + seconds
        while len(payloads) < count:
            try:
                message = self._messages.get(timeout=max(end - time.monotonic(), 0))
            except queue.Empty:
                break
            if not message.retain:
                payloads.append(message.payload.decode(errors="replace"))
        return payloads

    def retained(self, topic):
        """Returns the messages of a topic that the broker keeps, by their topics."""
        self.subscribe(topic)
        # The broker sends them before it confirms this.
        self.subscribe("end/of/the/retained")
        messages = [self._messages.get() for _ in range(self._messages.qsize())]
        return {message.topic: message.payload.decode(errors="replace") for message in messages if message.retain}

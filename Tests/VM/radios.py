# SPDX-License-Identifier: Apache-2.0
"""Scripts for machines with virtual radios (mac80211_hwsim), which see each other: network namespaces are the router at home
(`home`) and a phone (`phone`). The machine needs hostapd, wpa_supplicant, dnsmasq, iw and busybox."""

NETWORK = "Home"
PASSWORD = "correct-horse"
WRONG = "wrong-password"

# wlan0 is the machine's, wlan1 the router's, wlan2 the phone's.
RADIOS = """
modprobe mac80211_hwsim radios=3
for name in home phone; do ip netns add $name; ip netns exec $name ip link set lo up; done
iw phy phy1 set netns name home
iw phy phy2 set netns name phone
ip netns exec home ip addr add 192.168.77.1/24 dev wlan1
mkdir -p /run/phone
"""

ROUTER = """
cat >/run/hostapd.conf <<'X'
interface=wlan1
driver=nl80211
ssid={name}
hw_mode=g
channel={channel}
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase={password}
X
ip netns exec home hostapd -B -P /run/hostapd.pid /run/hostapd.conf
"""

ADDRESSES = """
ip netns exec home dnsmasq --conf-file=/dev/null --interface=wlan1 --bind-interfaces --port=0 \
  --dhcp-range=192.168.77.10,192.168.77.50,1h --pid-file=/run/home-dnsmasq.pid --dhcp-leasefile=/run/home.leases
"""

PHONE = """
cat >/run/phone.conf <<'X'
network={{
  ssid="{name}"
  psk="{password}"
}}
X
ip netns exec phone wpa_supplicant -B -i wlan2 -c /run/phone.conf -P /run/phone.pid
"""

LINK = "ip netns exec phone iw dev wlan2 link"

# Sends a request from a network namespace, and prints the status line and the header of the answer; nothing if nobody
# answers.
REQUEST = """
printf '{request}\\r\\n\\r\\n{body}' | ip netns exec {place} busybox nc -w 5 {address} {port} | tr -d '\\r'
"""

# Takes an address from the network that the phone has joined, and writes its name server to /run/phone/resolv.conf.
# Programs in /run cannot be executed in Debian 13.
LEASE = """
cat >/dev/shm/lease <<'X'
[ "$1" = bound ] || exit 0
ip addr flush dev wlan2
ip addr add $ip/24 dev wlan2
echo "nameserver $dns" >/run/phone/resolv.conf
X
chmod 755 /dev/shm/lease
ip netns exec phone busybox udhcpc -q -n -t 9 -i wlan2 -s /dev/shm/lease && ip -n phone -4 addr show wlan2 | grep inet || exit 1
"""

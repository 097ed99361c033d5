// SPDX-License-Identifier: Apache-2.0
// The time of this phone. The including page has elements.js.

// The boot of the wall in which it needs no time from this page: it has taken it, or has one already.
let settledBoot = null;
// When this page may give the time again after a failure.
let nextTry = 0;

/** The time of this phone. */
const timeOfDay = () => new Date().toLocaleTimeString(root.lang, { timeStyle: "short" });

/**
 * Gives the wall the time and the time zone of this phone, if nothing has confirmed its time: once in a boot of the wall,
 * and after a failure again ten seconds later. The page calls it whenever it knows the wall's state. Returns whether the
 * wall has taken the time now.
 *
 * `ahead` is how far the wall's clock is ahead of `now()`, in milliseconds.
 */
async function giveTime(isConfirmed, boot, ahead) {
  if (isConfirmed) settledBoot = null;
  if (isConfirmed || settledBoot === boot || now() < nextTry) return false;
  nextTry = now() + 10000;
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const body = JSON.stringify({ time: Date.now(), clock: Math.round(now() + ahead), zone });
  try {
    const response = await fetch("/time", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const { name } = await response.json();
    if (response.ok || name === "TimeIsKnown") [settledBoot, nextTry] = [boot, 0];
    return response.ok;
  } catch { return false; }
}

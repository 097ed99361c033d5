// SPDX-License-Identifier: Apache-2.0
// The time of this phone. The including page has elements.js.

/** The time of this phone. */
const timeOfDay = () => new Date().toLocaleTimeString(root.lang, { timeStyle: "short" });

/**
 * Gives the wall the time and the time zone of this phone. Returns whether the wall has taken the time.
 *
 * `ahead` is how far the wall's clock is ahead of `now()`, in milliseconds.
 */
async function giveTime(ahead) {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const body = JSON.stringify({ time: Date.now(), clock: Math.round(now() + ahead), zone });
  try {
    return (await fetch("/time", { method: "POST", headers: { "Content-Type": "application/json" }, body })).ok;
  } catch { return false; }
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Commands
import ControlCalls
import Schedule
import Scoreboard
import Settings
import TestSupport
import Testing

@testable import WallState

/// What a wall does, one behaviour in each line: the config before `|`, and after it what happens. Virtual
/// time begins at midnight.
///
/// The config has entries of the schedule (`NAME FROM-TO KEY=VALUE…`, in hours), `rotate SECONDS`, `still`
/// (no motion), `dim PERCENT`, `volleyball` or `free` (the preset), `pages NAMES`, `during BREAKS` (of the
/// page `match`), `displays NAMES`, `no-boards` and `set-up`. The display `B` has the table `[outputs.tall]`,
/// `T` has a brightness of 30, and `P` always shows the page `match`.
///
/// Of the steps, `pass`, `sleep` and `step` take a time, `reload` and `displays` change the config, `invite`
/// shows an invitation, `offer` offers the first phone its codes, `pair` uses one of the two, `owners` and
/// `network` are reports of other programs, `restart` starts the program again, and `full disk` and `room`
/// decide whether a match can be set aside. `= X` checks that the wall is as `check` defines for `X`. Any
/// other step is a command, which must be refused if `!` precedes it.
@Suite("What a wall does") struct ScenarioTests {
  static let scenarios = [
    // Countdowns.
    "| countdown doors 15:00, = left doors 900, = not quiet, pass 60, = left doors 840, step 2h, = left doors 840",
    "| countdown doors --until 1:00, = left doors 3600, = quiet until 1:00, step 30min, = left doors 1800, step 2h, = left doors -5400",
    "| countdown doors 1min, countdown doors --pause, pass 61, = quiet, pass 1h, = left doors 60, countdown doors --resume, pass 5, = left doors 55",
    "| countdown doors 1min, pass 50, countdown doors --add -5min, = left doors 0, countdown doors --add 1:00, = left doors 60",
    "| countdown doors 1min, add-score home 1, undo, = left doors 60, ! countdown gone --pause, ! countdown doors 1min --show",
    "| countdown doors 1min, = saves 1, countdown doors --pause, = saves 1, pass 61, = saves 2, pass 1h, = saves 2",
    "| countdown doors 1h, restart, = left doors 3600, pass 10, = left doors 3590, step 10min, = left doors 2990",
    // Boards.
    "| = no board hall, board hall A, = board hall A, = quiet, board hall B, = board hall B, add-score home 1, undo, = board hall B",
    "| board hall A, board line B, board hall --clear, = no board hall, = board line B",
    "| board hall A --for 10min, pass 599, = board hall A, pass 2, = no board hall, = quiet",
    "| board hall A --for 10min, sleep 2h, = no board hall",
    "| board hall A --for 10min, step 2h, = no board hall",
    "| board hall A --for 10min, pass 1min, board hall B, pass 1h, = board hall B, = quiet",
    "| board hall A --stale-after 10min, = fresh hall, = wakes 0:10, pass 10min, = not fresh hall, = board hall A",
    "| board hall A --stale-after 10min, pass 9min, board hall A --stale-after 10min, pass 9min, = fresh hall",
    "| board hall A --for 1h --stale-after 1min, pass 1h, = no board hall, = quiet",
    "| ! board gone A, ! board gone --clear, ! board hall A --for 0s, ! board hall A --stale-after 40000h",
    "| = page main, board hall A --show, = page match, pass 1h, = page match",
    "| board hall A --show --for 10min, = page match, pass 601, = page main, = no board hall, = quiet",
    "| show match, board hall A --show, = page match, board line A, ! board line A --show, = board line A",
    "night 1-7 page=main | pass 2h, board hall A --show --for 10min, = page match, pass 601, = page main",
    "| board hall A, reload, = board hall A, restart, = board hall A, reload no-boards, reload, = board hall A",
    "| board hall A --for 10min, reload no-boards, pass 601, reload, = no board hall",
    "| board hall A, reload no-boards, restart, reload, = no board hall",
    "| board hall A --for 1h, restart, = board hall A, pass 1h, = no board hall",
    "| board hall A, = saves 1, board hall B, = saves 1, pass 59, = saves 1, pass 2, = saves 2, pass 1h, = saves 2",
    "| board hall A, pass 30, board hall B, add-score home 1, restart, = board hall B",
    // The brightness by the schedule.
    "night 1-7 brightness=10 | = level 100, = wakes 1:00",
    "night 1-7 brightness=10 | pass 1h, = fading, pass 30, = fading, pass 31, = level 10, = not fading",
    "night 1-7 brightness=10 | pass 2h, = level 10, = wakes 7:00",
    "night 1-7 brightness=10 | pass 7h, pass 61, = level 100, = wakes 25:00",
    "night 1-7 brightness=10, still | pass 1h, = level 10, = not fading",
    "night 1-7 brightness=10 | sleep 2h, = level 10, = not fading",
    "night 1-7 brightness=10 | step 2h, = level 10, = not fading, step -2h, = level 100, = not fading",
    "night 1-7 brightness=10 | pass 1h, pass 30, step 3600, = fading, pass 31, = level 10",
    "night 1-7 brightness=10 | pass 1h, pass 30, step 7h, = level 100",
    "night 1-7 brightness=10, dim 60 | = level 60, pass 2h, = level 10, pass 6h, = level 60",
    "night 1-7 brightness=10, evening 0-1 brightness=50 | = level 50, pass 1h, pass 61, = level 10",
    "a 1-3 brightness=30, b 2-4 brightness=20 | pass 2h, pass 61, = level 20, pass 1h, = level 20, pass 1h, pass 61, = level 100",
    "night 22-7 brightness=10 | = level 10, pass 7h, pass 61, = level 100, pass 15h, pass 61, = level 10",
    "night 1-7 brightness=10 | pass 1h, pass 10, reload, = level 100, = not fading",
    "night 1-7 brightness=10 | pass 2h, reload night 1-7 brightness=40, = level 40, = not fading",
    "night 1-7 brightness=10 | pass 2h, reload night 1-7 light=off, = off",
    "night 1-7 brightness=10 | = quiet until 1:00",
    "| = quiet",
    "night 1-7 brightness=10, displays A T | = T level 30, pass 2h, = T level 10, pass 6h, = T level 30",
    // The brightness by command.
    "| brightness 40%, = level 40, pass 100h, = level 40",
    "| brightness 40%, brightness +20%, = level 60, brightness -5%, = level 55",
    "| brightness 1%, brightness -50%, = level 1",
    "| brightness 100%, brightness +1%, = level 100",
    "| ! brightness 0%, = level 100",
    "| ! brightness 101%, = level 100",
    "| brightness 40% --for 10min, = level 40, pass 599, = level 40, pass 62, = level 100, = quiet",
    "| brightness 40% --for 10min, brightness 50%, pass 1h, = level 50, = quiet",
    "| brightness 40%, brightness 50% --for 10min, pass 1h, = level 100",
    "night 1-7 brightness=10 | brightness 40%, = level 40, pass 2h, = level 10",
    "night 1-7 brightness=10 | pass 2h, brightness 40%, = level 40, pass 4h, = level 40, pass 2h, = level 100",
    "night 1-7 brightness=10 | pass 2h, brightness 40% --for 10h, pass 6h, = level 40, pass 5h, = level 100",
    "night 1-7 brightness=10 | pass 1h, pass 30, brightness 60%, = level 60, = not fading",
    "night 1-7 brightness=10 | brightness 40%, reload night 1-7 brightness=10, = level 40, pass 2h, = level 10",
    "night 1-7 brightness=10 | brightness 40%, reload, = level 40, pass 9h, = level 40",
    "| brightness 40%, reload dim 70, = level 70, reload, = level 100",
    "dim 70 | brightness 40%, reload dim 70, = level 40",
    "| brightness 40% --for 10min, sleep 20min, = level 100, = not fading",
    "| brightness 40% --for 10min, step 20min, = level 100",
    "| brightness 40% --for 10min, step -20min, pass 20min, = level 40, pass 11min, = level 100",
    // The light by the schedule.
    "night 1-7 light=off | = level 100, pass 1h, = off, pass 6h, = level 100",
    "night 1-7 light=off, still | pass 1h, = off",
    "night 1-7 light=black | pass 1h, pass 61, = black, = not off, pass 6h, pass 61, = level 100",
    "night 1-7 light=black, still | pass 1h, = black",
    "night 1-7 light=off-and-black, still | pass 1h, = black, = not off, pass 2, = off",
    "night 1-7 light=off-and-black | pass 1h, pass 30, = fading, pass 30.5, = black, = not off, pass 1, = off",
    "night 1-7 light=off-and-black | sleep 2h, = black, pass 1.1, = off, pass 6h, = level 100",
    "night 1-7 light=off-and-black | pass 1h, pass 20, unblank, = level 100, = not fading",
    "night 1-7 light=off-and-black | pass 2h, = off, invite, = level 100, pass 121, = off",
    "night 1-7 light=off-and-black | pass 2h, invite, pass 120.5, = black, = not off, pass 1, = off",
    "night 1-7 light=off, day 2-3 light=on | pass 1h, = off, pass 1h, = level 100, pass 1h, = off",
    "night 1-7 light=off brightness=10 | pass 1h, = off, unblank, = level 10, pass 7h, = level 100",
    "night 1-7 light=off, displays A B | pass 1h, = off, = B off",
    "night 1-7 light=off | pass 2h, displays A C, = C off, = off",
    "night 1-7 light=off | pass 2h, displays, = dark, displays A, = off",
    "night 1-7 light=off | pass 2h, reload, = level 100",
    "| reload night 0-7 light=off, = off, pass 7h, = level 100",
    // The light by command.
    "| blank, = off, = dark, pass 100h, = off, unblank, = level 100",
    "| blank --for 10min, = off, pass 599, = off, pass 2, = level 100, = quiet",
    "| blank --toggle, = off, blank --toggle, = level 100",
    "| ! blank --output X, = level 100",
    "displays A B | blank --output A, = off, = B level 100, = not dark, blank --output B, = dark",
    "displays A B | blank --output tall, = B off, = level 100",
    "displays A B | blank, unblank --output A, = level 100, = B off, unblank, = B level 100",
    "displays A B | blank --output A, blank, unblank, = level 100, = B level 100",
    "displays A B | blank --toggle --output B, = B off, = not dark, blank --toggle, = dark",
    "displays A B | blank --output B, displays A, = level 100, displays A B, = B off",
    "displays | blank, = dark, displays A, = off",
    "night 1-7 light=off | blank, = off, pass 2h, = off, pass 6h, = level 100",
    "night 1-7 light=off | pass 2h, unblank, = level 100, pass 4h, = level 100, pass 2h, = level 100, pass 18h, = off",
    "night 1-7 light=off | pass 2h, unblank --for 10min, = level 100, pass 10min, = off",
    "night 1-7 light=off | unblank --for 3h, pass 2h, = level 100, pass 2h, = off",
    "night 1-7 light=black | pass 2h, unblank, = level 100",
    "night 1-7 light=off | blank --for 10h, pass 8h, = off, pass 3h, = level 100",
    "| blank, reload, = off",
    "| blank, sleep 10h, = off",
    "| blank, brightness 40%, = off, unblank, = level 40",
    // The box of an invitation, `card` in the checks.
    "| invite, = card, pass 119, = card, pass 2, = no card, = quiet",
    "| invite, remote close, = no card, = quiet",
    "| blank, invite, = level 100, remote close, = off",
    "| invite, blank, = off, = no card",
    "| invite, pair, = no card, = quiet",
    "| blank, invite, = level 100, pair, = no card, = off",
    "| invite, invite, pass 100, = card, pass 30, = no card",
    "| blank, invite, sleep 10min, = off, = no card",
    "| invite, reload, = card",
    "night 0.01-7 light=off | invite, pass 60, = level 100, pass 90, = off",
    "displays A B | blank, invite, = level 100, = B level 100",
    // Messages.
    "| message HELLO, = message HELLO, pass 11, = no message, = quiet",
    "| message HELLO --for 5s, pass 4.9, = message HELLO, pass 0.2, = no message",
    "| message HELLO --until-cleared, = quiet, pass 1000h, = message HELLO, message --clear, = no message",
    "| message A --for 5s, message B --for 60s, pass 30, = message B, pass 31, = no message",
    "| message A --until-cleared, message B --for 5s, pass 6, = no message",
    "| message A --for 1h, sleep 2h, = no message",
    "| message A --for 1h, step 2h, = message A",
    "| message A --for 1h, reload, = message A",
    "| message --clear, = no message",
    // What the first phone is offered.
    "| offer, = no notice, owners 0, = no notice",
    "set-up | = no notice, offer, = set-up, pass 100h, = set-up, = level 100, = quiet",
    "set-up | offer, = saves 0, owners 0, = saves 0, owners 1, = no notice, = saves 1, owners 2, = saves 1, restart, offer, = no notice",
    "set-up | offer, owners 1, offer, = no notice, owners 0, = no notice, offer, = set-up, restart, = no notice, offer, = set-up",
    "set-up | offer, pair, = no notice, = saves 1, owners 1, = saves 1, restart, offer, = no notice",
    // The phone that used the code could not be stored.
    "set-up | offer, pair, owners 0, = no notice, offer, = set-up, pair, = no notice",
    "set-up | offer, invite, = card, pair, = set-up, pair, = no notice",
    "set-up | offer, invite, = card, pass 121, = set-up, remote close, = set-up",
    "set-up | offer, message A --for 10s, = message A, = no notice, pass 11, = set-up",
    "set-up | blank, offer, = off, = set-up, unblank, = set-up",
    "night 1-7 light=off, set-up | offer, pass 2h, = off, = set-up, pass 6h, = level 100, = set-up",
    "set-up | offer, reload set-up, = set-up, reload, = no notice, reload set-up, = set-up",
    "| invite, pair, owners 1, invite, pair, = no notice",
    // The state of the network.
    "| network access_point, = network access_point, pass 100h, = network access_point, = quiet, network none, = no notice",
    "| network joining, = network joining, pass 1h, network joined, = network joined, pass 14, = network joined, pass 2, = no notice, = quiet",
    "| network joined, pass 10, network joined, pass 10, = network joined, pass 6, = no notice",
    "| network failed, pass 1h, = network failed, invite, = card, remote close, = network failed, restart, = no notice",
    "| network failed, message A --for 10s, = message A, = no notice, pass 11, = network failed, blank, = off",
    "set-up | offer, = set-up, network access_point, = network access_point code, pair, = network access_point, network none, = no notice",
    // While the access point is open, its card has a code, also if there is an owner, and without 'set-up'.
    "| owners 1, network access_point, = network access_point, offer, = network access_point code, pair, = network access_point",
    "| network access_point, offer, pair, ! pair, offer, = network access_point code, pair",
    "| owners 1, network access_point, offer, network joining, = network joining, ! pair, network access_point, = network access_point, ! pair",
    "| owners 1, network access_point, offer, network none, ! pair, network joined, ! pair",
    "| owners 1, network access_point, offer, network access_point, = network access_point code, invite, = card access_point, pair, = network access_point code",
    // An invitation is shown beside the access point, and only its code is valid.
    "| network access_point, invite, = card access_point, pass 121, = network access_point",
    "| invite, = card, network access_point, = card access_point, network joining, = card, network access_point, pair, = network access_point",
    "set-up | network access_point, offer, invite, = card access_point, remote close, = network access_point code",
    "| invite, network access_point, message hello, = card access_point, = no message, pair, = message hello, pass 11, = network access_point",
    "set-up | network access_point, offer, network joining, = network joining code, network none, = set-up, pair, = no notice",
    "set-up | offer, owners 1, network access_point, offer, reload, = network access_point code, reload set-up, = network access_point code",
    "| network failed, = saves 0, reload, = network failed",
    // A message waits while an invitation is open, and is then shown for as long as it was to be.
    "| invite, message A, = no message, pass 119, = no message, pass 2, = message A, pass 8, = message A, pass 2, = no message, = quiet",
    "| message A, pass 4, invite, = no message, pass 60, remote close, = message A, pass 5.9, = message A, pass 0.2, = no message",
    "| invite, message A --until-cleared, pair, = message A, pass 100h, = message A",
    "| invite, message A, message B, message --clear, remote close, = no message",
    "| invite, message A, invite, pass 100, = no message, blank, = message A, pass 11, = no message",
    "| invite, message A, sleep 125, = message A, pass 6, = no message",
    "| blank, message A, = off, = message A",
    // Pages.
    "| show match, = page match, pass 100h, = page match, = quiet",
    "| ! show gone, = page main",
    "| show match --for 10min, = page match, pass 10min, = page main, = quiet",
    "| show match --for 10min, show main, pass 1h, = page main",
    "| show match, show main --for 10min, pass 10min, = page match",
    "| show match, reload, = page match",
    "| show match, reload pages main other, = page main, reload, = page main",
    "| show match --for 1h, reload pages main other, = page main",
    "| show match --for 1h, sleep 2h, = page main",
    "day 1-2 page=match | pass 1h, = page match, pass 1h, = page main",
    "day 1-2 page=match | show match, pass 3h, = page match",
    "day 1-2 page=match | pass 1h, show main, = page main, pass 1h, = page main",
    "day 1-2 page=match, eve 2-3 page=other, pages main match other | pass 1h, show main, pass 1h, = page other",
    "day 1-2 page=gone | pass 1h, = page main",
    "day 1-2 page=match | show match --for 3h, pass 150min, = page match, pass 31min, = page main",
    "day 1-2 page=match | pass 1h, reload, = page main",
    "day 1-2 page=match | pass 1h, show main, reload, = page main",
    // The theme.
    "day 1-2 theme=paper | = no theme, pass 1h, = theme paper, pass 1h, = no theme",
    "day 1-2 theme=paper, eve 1.5-3 theme=ink | pass 90min, = theme ink, pass 1h, = theme ink, pass 30min, = no theme",
    "day 1-2 theme=paper | pass 1h, step -1h, = no theme",
    // Rotation.
    "rotate 20 | = page main, pass 19, = page main, pass 2, = page match, pass 20, = page main",
    "rotate 20, pages main match other | pass 41, = page other, pass 20, = page main",
    "rotate 20, pages main | pass 100, = page main, = quiet",
    "rotate 20 | blank, = quiet, pass 1h, = page main, unblank, pass 19, = page main, pass 2, = page match",
    "rotate 20, displays P | = quiet, pass 100, = page main",
    "rotate 20, displays P A | pass 21, = page match",
    "rotate 20, displays | pass 15, displays A, pass 19, = page main, pass 2, = page match",
    "rotate 20 | show match --for 10min, = quiet until 0:10",
    "rotate 20, displays | = quiet, displays A, pass 21, = page match",
    "rotate 20 | pass 15, show match, pass 15, = page match, pass 6, = page main",
    "rotate 20 | show match --for 10min, pass 9min, = page match, pass 61, pass 21, = page match",
    "rotate 20, day 1-2 page=match | pass 1h, = page match, pass 30min, = page match",
    "rotate 20 | pass 15, reload rotate 20, pass 15, = page main, pass 6, = page match",
    "rotate 20 | sleep 1h, = page match",
    "rotate 20 | step 1h, = page main",
    "rotate 20 | invite, pass 21, = page match",
    // A game, and what waits for it.
    "night 1-7 light=off | timer start, pass 2h, = off, = not running",
    "night 0.1-7 light=off | timer start, pass 6min, = level 100, = waits, timer pause, = off, = no wait",
    "night 0.1-7 page=match | timer start, pass 6min, = page main, timer pause, = page match",
    "night 0.1-7 theme=paper impatient | timer start, pass 6min, = theme paper, = running",
    "night 0.1-7 light=off | timer start, pass 6min, blank, = off",
    "night 1-7 light=off | pass 2h, = off, timer start, = level 100, timer pause, = off",
    "night 1-7 light=off, still | pass 3595, timer start, pass 10, reload night 1-7 light=off, = level 100, = waits",
    "night 0.1-7 light=off | timer start, pass 6min, reload, = level 100, = running",
    "night 0.1-7 light=off | timer start, pass 6min, = waits, pass 5min, = waits, pass 2min, = off, = not running",
    "night 0.1-7 brightness=10 | timer start, brightness 40%, pass 6min, = level 40, timer pause, pass 61, = level 10",
    "night 0.1-7 brightness=10 | timer start, brightness 40% --for 1min, pass 2min, = level 100, = waits",
    "night 1-23 light=off, free | timer start, pass 6h, timer set 1:00, pass 350min, = level 100, pass 20min, = off",
    "| timer start, = running, pass 100, timer pause, = not running, = quiet",
    "| timer start, undo, = not running, = quiet",
    "| timer start, pass 3600, = not running, = quiet",
    "| add-score home 2, = score 2, undo, = score 0, redo, = score 2",
    "| ! redo, = score 0",
    "| add-score home 2, reload, = score 2",
    "| add-score home 2, reload volleyball, = score 0, = aside 1",
    "| reload volleyball, = score 0, = aside 0",
    "| add-score home 2, full disk, reload volleyball, = score 2, = aside 0, = warned",
    "| add-score home 2, full disk, reload volleyball, room, reload volleyball, = score 0, = aside 1, = not warned",
    "volleyball | add-score home 1, reload, = score 0, = aside 1",
    // Breaks.
    "| timer start, pass 10min, = break interval, = running, pass 120, = break interval, = not running, pass 10, = no break, = quiet",
    "| timer start, pass 5min, time-out home, = break time-out, pass 69, = break time-out, pass 2, = no break, = quiet",
    "| timer start, time-out home, sleep 65, = break time-out, = not running, sleep 6, = no break, = quiet",
    "| timer start, sleep 11min, = break interval, = running, sleep 1h, = no break, = quiet",
    "| time-out home, step 1h, pass 30, = break time-out, = running, step -2h, pass 31, = not running, pass 10, = no break",
    "| time-out home, reload, = break time-out, timer start, = no break",
    "| time-out home, reload volleyball, = no break",
    "| time-out home, undo, = no break, redo, = break time-out, break end, = no break, = quiet, undo, = break time-out",
    "| time-out home, ! time-out home, pass 61, time-out home, pass 61, ! time-out home, time-out home --anyway, ! time-out away, ! break end 1:00",
    "| time-out home, ! time-out home, time-out home --anyway, time-out guest, undo, = break time-out, ! set home timeouts +1",
    "| set period 4, add-score home 1, timer start, pass 10min, ! time-out home, ! break interval, = no break, break interval --anyway, = break interval",
    "| ! break end, ! timer pause --break, break warm-up, timer pause --break, = break warm-up, = quiet, pass 1h, = break warm-up",
    "| break half-time 5:00, timer set 0:20 --break, pass 29, = break half-time, timer set +10 --break, pass 99, = break half-time, timer start --break, pass 21, = no break",
    "volleyball | set-score home 25, = break interval, set period +1, = no break, set-score home 25, undo, = no break",
    "volleyball | timer start, time-out guest, = running, pass 41, = no break, = running",
    "night 0.1-7 page=match | break half-time, pass 6min, = page main, = waits, pass 10min, = page match",
    // Finished matches.
    "| new-game, timer start, undo, new-game, = finished 0",
    "| add-score home 2, = finished 0, new-game, = finished 1, undo, = finished 0, redo, = finished 1",
    "| add-score home 2, new-game, swap, new-game, = finished 1",
    "| add-score home 2, new-game, add-score guest 1, reset, = finished 2, undo 3, = finished 0, redo 3, = finished 2",
    "| add-score home 2, new-game, undo 2, = finished 0, add-score home 1, new-game, = finished 1",
    "| set period 4, add-score home 2, timer start, = finished 0, pass 1h, = finished 1, new-game, = finished 1",
    "| set period 4, add-score home 2, timer start, pass 1h, add-score guest 2, = finished 0, new-game, = finished 1",
    "| add-score home 2, new-game, restart, = finished 1, undo, = finished 0, restart, = finished 0, redo, = finished 1",
    "| add-score home 2, reload volleyball, = finished 0, = aside 1, add-score home 1, new-game, = finished 1",
    // What a match that was replaced is worth.
    "| add-score home 2, new-game, = ended 2:0 abandoned",
    "| add-score home 2, set period 2, new-game, = ended 2:0 abandoned",
    "| add-score home 2, set period 2, timer start, pass 60, new-game, = ended 2:0 0:0 abandoned",
    "| time-out home, timer start, pass 5min, new-game, = finished 0, undo, add-score home 1, new-game, = finished 1",
    "| set period 3, swap, new-game, = finished 0",
    "| set period 4, timer start, pass 11min, new-game, = ended 0:0 0:0 0:0 0:0",
    "| set period 4, add-score home 2, timer start, pass 11min, = ended 0:0 0:0 0:0 2:0 won home",
    "| set period 4, add-score home 2, timer start, pass 9min, new-game, = ended 0:0 0:0 0:0 2:0 abandoned",
    "free | add-score home 2, new-game, = ended 2:0 won home",
    // A match that is ended by hand.
    "| add-score home 2, end-match, = ended 2:0 won home, undo, = finished 0, redo, = finished 1, new-game, = finished 1",
    "| end-match, = ended 0:0, restart, = finished 1, ! end-match, ! timer start, ! break interval, undo, = finished 0",
    "| timer start, add-score guest 2, time-out home, end-match, = no break, = not running, = ended 0:2 won guest",
    "volleyball | set-score home 25, set period 2, add-score guest 3, end-match, = ended 25:0 0:3 won home",
    "volleyball | set-score home 25, set period 2, end-match, = ended 25:0 won home, set period 1, = finished 0",
    "volleyball | set-score home 25, set period 2, set-score guest 25, set period 3, end-match, = ended 25:0 0:25",
    "volleyball | set-score home 25, set period 2, set-score guest 20, new-game, = ended 25:0 0:20 abandoned",
    "volleyball | set-score home 25, ! set period 3, set period 3 --anyway, new-game, = ended 25:0 abandoned",
    "volleyball | ! set period 2, set period 2 --anyway, new-game, = finished 0",
    "darts | set-score home 20, add-score home -20, new-game, = ended 0:501 abandoned",
    "tennis | set home period-score 1 6, new-game, = ended 6:0 abandoned",
    "tennis | add-score home 1, new-game, = ended 0:0(15:0) abandoned",
    "tennis | set home period-score 1 3, set guest period-score 1 2, add-score home 3, add-score guest 1, end-match, = ended 3:2(40:15), undo, = finished 0, redo, new-game, = ended 3:2(40:15)",
    "tennis | set home period-score 1 6, set guest period-score 1 6, add-score guest 7, end-match, = ended 6:7(0) won guest",
    "tennis | set home period-score 1 6, set guest period-score 1 6, add-score guest 3, end-match, restart, = ended 6:6(0:3), undo, add-score guest 1, end-match, = ended 6:6(0:4)",
    // Penalty shoot-outs, and a goal that ends a penalty, as docs/match-day.md describes them.
    "football | add-score home 2, add-score guest 2, set period 2, set period 3, set period 4, set period +1, add-score home 4, = not running, add-score guest 3, = finished 0, end-match, = ended 2:2 0:0 0:0 0:0 4:3 won home",
    "handball | add-score home 9, add-score guest 9, set period 6, set period +1, add-score guest 1, end-match, = ended 9:9 0:0 0:0 0:0 0:0 0:0 0:1 won guest",
    "ice-hockey | add-score home 2, add-score guest 2, set period 4, add-score guest 1, = ended 2:2 0:0 0:0 0:1 won guest",
    "ice-hockey | penalty home --number 7, timer start, pass 30, add-score guest 1, penalty home --end, ! penalty home --end, undo, penalty home --end --number 7",
    // What needs a confirmation.
    "volleyball | set-score home 12, set-score guest 20, ! set period +1, ! set period 2, set period +1 --anyway, undo, redo, add-score home 1, set period -1, set period +1, ! set period +1",
    "badminton | ! set-score home 31, ! set home period-score 1 31, set-score home 31 --anyway, = score 31",
    "tennis | set home period-score 1 5, set guest period-score 1 5, add-score home 4, add-score guest 4, add-score home 6, add-score guest 6, add-score home 1, add-score guest 3, new-game, = ended 6:7(7) abandoned",
    // Rules that the config gets after the end are those of the next match.
    "volleyball, best 3 | set-score home 25, set period 2, set-score home 25, = finished 1, reload volleyball, = ended 25:0 25:0 won home, new-game, = ended 25:0 25:0 won home, restart, = finished 1, undo, = finished 1",
    "volleyball, best 3 | set-score home 25, set period 2, set-score home 25, reload volleyball, restart, = ended 25:0 25:0 won home, undo, = finished 0",
    "volleyball, best 3 | set-score home 25, set period 2, set-score home 25, reload volleyball, undo, = finished 0, redo, set period 3, new-game, = ended 25:0 25:0 abandoned",
    // A match that is finished is in one list only, also when another game follows.
    "volleyball, best 3 | set-score home 25, set period 2, set-score home 25, reload, = aside 0, = score 0, = finished 1, = ended 25:0 25:0 won home, restart, = finished 1",
    "volleyball | add-score home 1, end-match, reload, = aside 0, = finished 1, = ended 1:0, add-score home 2, new-game, = finished 2",
    "| add-score home 1, set period 4, timer start, pass 11min, reload volleyball, = aside 0, = finished 1",
    // The clock is set during the match, or after it.
    "| add-score home 2, pass 60, step 10000h, pass 60, add-score home 2, new-game, = lasted 120",
    "| add-score home 2, pass 60, step -10000h, pass 60, add-score home 2, new-game, = lasted 120",
    "| add-score home 2, pass 60, add-score home 2, new-game, pass 60, step 10h, = lasted 60, undo, pass 60, add-score home 1, new-game, = lasted 180",
    "| add-score home 2, pass 60, restart, pass 60, add-score home 2, new-game, = lasted 120",
    "volleyball | set-score home 25, set period 2, set-score home 25, set period 3, set-score home 24, = finished 0, add-score home 1, = finished 1, new-game, = finished 1, undo, = finished 1, undo, = finished 0, redo, = finished 1, reset, = finished 1",
    // Pages that are shown during breaks.
    "during time-out interval | time-out home, = page match, pass 69, = page match, pass 2, = page main, = quiet",
    "during time-out | time-out home, = page match, undo, = page main, redo, = page match, break end, = page main",
    "during time-out | timer start, pass 10min, = break interval, = page main",
    "during interval, volleyball | set-score home 25, = page main, pass 7.9, = page main, pass 0.2, = page match, set period +1, = page main",
    "during interval, volleyball | set-score home 25, undo, pass 9, = page main, redo, = page main, pass 8.1, = page match, undo, = page main",
    "during interval, volleyball | set-score home 25, sleep 9, = page match, break end, = page main, break interval, = page match",
    "during interval, volleyball | set-score home 25, pass 3, restart, = page main, pass 4.9, = page main, pass 0.2, = page match",
    "during interval, volleyball, still | set-score home 25, timer pause --break, pass 9, = page match, = quiet",
    "during interval half-time | timer set 0:02, timer start, pass 9, = page main, pass 2, = page match, = break interval",
    "during interval half-time | timer set 0:02, timer start, sleep 11, = page match",
    "during interval, volleyball | set-score home 25, show main, pass 9, = page main, = break interval",
    "during interval, volleyball, rotate 20, pages main other match | pass 15, set-score home 25, pass 7, = page main, pass 2, = page match, break end, = page main, pass 19, = page main, pass 2, = page other",
    "during warm-up half-time | break warm-up, = page match, break half-time, = page match, break end, = page main",
    "during time-out | time-out home, sleep 1h, = page main, = quiet",
    "during time-out, still | time-out home, timer pause --break, pass 1h, = page match, = quiet",
    "during time-out | message HELLO --until-cleared, time-out home, = page match, = message HELLO",
    "during time-out | blank, time-out home, = page match, = off, unblank, = page match",
    "during time-out | time-out home, invite, = page match, = card",
    "during time-out | show main, time-out home, = page match, pass 71, = page main",
    "during time-out, pages main match other | time-out home, show other, = page other, pass 71, = page other, time-out guest, = page match, pass 71, = page other",
    "during time-out | time-out home, show main, undo, = page main, time-out guest, = page match",
    "during time-out, pages main match other | show other --for 10min, time-out home, = page other, pass 71, = page other, pass 10min, = page main",
    "during time-out, pages main match other | time-out home, show other --for 10s, = page other, pass 11, = page match",
    "during time-out, day 0-5 page=other, pages main match other | time-out home, = page match, pass 71, = page other",
    "during time-out, day 0-5 page=other, pages main match other | show main, time-out home, = page match, pass 71, = page main",
    "during time-out, day 0-5 page=other, pages main match other | time-out home, show main, = page main, pass 71, = page main, pass 5h, = page main",
    "during time-out, day 0.01-5 page=other impatient, pages main match other | time-out home, pass 60, = page match, pass 11, = page other",
    "during time-out, rotate 20, pages main match other | pass 15, time-out home, = page match, pass 71, = page main, pass 18, = page main, pass 2, = page match",
    "during time-out, rotate 20, pages main match other | time-out home, pass 40, = page match, break end, = page main, pass 19, = page main, pass 2, = page match",
    "during time-out | time-out home, reload, = page main, reload during time-out, = page match",
    "during time-out | time-out home, show main, reload during time-out, = page main",
  ]

  /// A program that sends a text every second for a day, and one that sends as fast as it can.
  @Test("Texts that change every second are saved once a minute; a flood is refused")
  func manyTexts() throws {
    var wall = TestWall()
    for number in 0..<86_400 {
      wall.pass(1)
      try wall.command("board hall \(number)")
    }
    #expect((1_439...1_441).contains(wall.saves))
    #expect(wall.disk.boards["hall"].flatMap { Int($0.text) } ?? 0 > 86_400 - 62)
    var refused = 0
    for number in 0..<1_000 {
      wall.pass(0.01)
      do { try wall.command("board hall \(number)") } catch {
        guard case .tooManyTexts(board: "hall", let milliseconds) = error else { throw error }
        #expect((1...101).contains(milliseconds))
        refused += 1
      }
    }
    // In ten seconds: a burst of 30, and ten a second.
    #expect((868...872).contains(refused))
    try wall.command("board line A")
    wall.pass(0.2)
    try wall.command("board hall LAST")
    wall.pass(61)
    #expect(wall.disk.boards["hall"]?.text == "LAST")
  }

  @Test("The reply to a text says what does not fit; the state of a board has it with and without markup")
  func markup() throws {
    var settings = BoardSettings()
    (settings.columns, settings.rows, settings.overflow, settings.drum) = (4, 1, .cut, .flaps(" ABCDEF"))
    var wall = TestWall { $0.widgets[0].content = settings }
    let reply = try wall.command("board hall {red}ABCDEX{/}")
    #expect(reply == .board(BoardReply(board: "hall", page: "match", cut: ["ABCDEX"], missing: ["X"])))
    let state = try #require(wall.wall.boardStates.first)
    #expect(state.text == "{red}ABCDEX{/}" && state.words == "ABCDEX" && state.plain == nil)
    _ = try wall.command("board hall {red}A --plain")
    let plain = try #require(wall.wall.boardStates.first)
    #expect(plain.words == "{red}A" && plain.plain == true)
    #expect(wall.wall.shown.boards["hall"] == BoardText("{red}A", isPlain: true))
  }

  @Test("A problem of a source changes no text and lasts from its first report until the next text")
  func problemsOfSources() throws {
    var wall = TestWall { $0.widgets[0].content = BoardSettings() }
    func problem() -> [String?] {
      let state = wall.wall.boardStates.first
      return [state?.text, state?.problem, state?.problemSince]
    }
    for text in ["A", nil] {
      if let text { try wall.command("board hall \(text) --for 1min") }
      let shown = wall.wall.shown
      try wall.command("board hall --failed exit status 1")
      let since = problem()[2]
      #expect(problem() == [text ?? "", "exit status 1", since] && since != nil)
      wall.pass(5)
      try wall.command("board hall --failed timeout")
      #expect(problem() == [text ?? "", "timeout", since])
      #expect(wall.wall.shown == shown)
      wall.pass(60)
      #expect(problem() == ["", "timeout", since], "the text is over, and its source still fails")
      try wall.command(text == nil ? "board hall --clear" : "board hall B")
      #expect(problem()[1...] == [nil, nil])
      try wall.command("board hall --clear")
    }
    #expect(throws: (any Error).self) { try wall.command("board hal --failed x") }
    #expect(throws: (any Error).self) {
      try wall.command("board hall --failed " + String(repeating: "x", count: 121))
    }
  }

  @Test("A message is shown for its time in all, whatever interrupts it")
  func interruptedMessages() throws {
    var random = SplitMix(seed: 39)
    for _ in 0..<50 {
      var wall = TestWall()
      if random.next() % 2 == 0 { wall.invite() }
      try wall.command("message A --for 10s")
      var (shown, steps) = (0, 0)
      while wall.wall.message != nil, steps < 4_000 {
        switch random.next() % 40 {
        case 0: wall.invite()
        case 1: try wall.command("remote close")
        default: break
        }
        #expect(wall.wall.shown.phoneNotice == nil || wall.wall.shown.message == nil)
        if wall.wall.shown.message != nil { shown += 1 }
        wall.pass(0.25)
        steps += 1
      }
      #expect(shown == 40)
    }
  }

  @Test("Each line describes what the wall does", arguments: scenarios)
  func scenario(_ line: String) throws {
    let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var setting = try Setting(String(parts[0]))
    var wall = TestWall(setting.entries, displays: setting.displays, configure: setting.configure)
    for step in parts[1].split(separator: ",").map({ $0.trimmingPrefix(while: { $0 == " " }) }) {
      let words = step.split(separator: " ").map(String.init)
      let rest = step.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
      switch words.first {
      case "pass": wall.pass(try seconds(rest))
      case "sleep": wall.sleep(try seconds(rest))
      case "step": wall.step(try seconds(rest))
      case "invite": wall.invite()
      case "pair": try wall.pair()
      case "offer": wall.offer()
      case "owners": wall.reportOwners(Int(rest) ?? -1)
      case "network": wall.reportNetwork(rest)
      case "displays":
        setting.displays = try Setting("displays \(rest)").displays
        wall.adopt(setting.displays)
      case "reload":
        setting = try Setting(rest)
        wall.adopt(TestWall.configuration(setting.pages, setting.configure), setting.entries)
      case "restart":
        wall = TestWall(
          setting.entries, displays: setting.displays, saved: wall.disk, at: wall.now,
          configure: setting.configure)
      case "full": wall.hasRoom = false
      case "room": wall.hasRoom = true
      case "!" where rest == "pair":
        #expect(throws: ControlError.self, "\(line): \(rest)") { try wall.pair() }
      case "!":
        #expect(throws: ControlError.self, "\(line): \(rest)") { try wall.command(rest) }
      case "=":
        let isSeen = try check(rest, wall)
        #expect(isSeen, "\(line): \(rest); \(wall.wall.shown)")
      default: try wall.command(String(step))
      }
      #expect(wall.wall.nextClock.map { $0 > wall.now.clock } ?? true, "\(line): armed in the past")
    }
  }

  /// Whether the wall is as the words after `=` say.
  private func check(_ what: String, _ test: TestWall) throws -> Bool {
    let words = what.split(separator: " ").map(String.init)
    let (wall, word) = (test.wall, words.count > 1 ? words[1] : "")
    switch words[0] {
    case "not": return try !check(words.dropFirst().joined(separator: " "), test)
    case "B", "C", "T":
      let light = wall.light(of: words[0])
      return word == "off" ? light.isBlank : !light.isBlank && light.level == Int(words[2])
    case "level": return !test.light.isBlank && test.light.level == Int(word)
    case "off": return test.light.isBlank
    case "black": return !test.light.isBlank && test.light.level == 0
    case "dark": return wall.isDark
    case "fading": return wall.shown.isFading
    case "page": return wall.shown.page == word
    case "theme": return wall.shown.theme == word
    case "message": return wall.shown.message == word
    case "card":
      guard case .invitation? = wall.shown.phoneNotice?.pairing else { return false }
      return wall.shown.phoneNotice?.network?.phase.rawValue == (words.count > 1 ? word : nil)
    case "set-up":
      guard case .offer? = wall.shown.phoneNotice?.pairing else { return false }
      return wall.shown.phoneNotice?.network == nil
    case "network":
      guard let notice = wall.shown.phoneNotice, notice.network?.phase.rawValue == word else { return false }
      switch notice.pairing {
      case .invitation: return false
      case .offer: return words.last == "code"
      case nil: return words.last != "code"
      }
    case "board": return wall.shown.boards[word]?.text == words[2]
    case "fresh": return wall.shown.boards[word]?.isStale == false
    case "left":
      let state = wall.countdownStates(at: test.now).first { $0.name == word }
      return state?.milliseconds == Int(words[2]).map { $0 * 1_000 }
    case "saves": return test.saves == Int(word)
    case "no":
      switch word {
      case "theme": return wall.shown.theme == nil
      case "message": return wall.shown.message == nil
      case "card", "notice": return wall.shown.phoneNotice == nil
      case "break": return test.breakName == nil
      case "board": return wall.shown.boards[words[2]] == nil
      case "wait": return wall.scheduleStatus?.waits == nil
      default: throw Unknown(text: what)
      }
    case "waits": return wall.scheduleStatus?.waits == true
    case "running": return wall.isRunning
    case "score": return test.score == Int(word)
    case "break": return test.breakName == word
    case "finished": return wall.finished.matches.count == Int(word)
    case "ended":
      guard let last = wall.finished.matches.last else { return false }
      let marks = (last.abandoned == true ? " abandoned" : "") + (last.winner.map { " won \($0)" } ?? "")
      return words.dropFirst().joined(separator: " ") == last.periodsText + marks
    case "lasted": return wall.finished.matches.last?.seconds == Int(word)
    case "aside": return test.asides.count == Int(word)
    case "warned": return wall.gameWarning != nil
    case "quiet":
      guard words.count == 3 else { return wall.nextClock == nil && wall.nextInstant == nil }
      return wall.nextClock == nil && wall.nextInstant == instant(words[2])
    case "wakes": return wall.nextInstant == instant(word)
    default: throw Unknown(text: what)
    }
  }

  private func instant(_ hour: String) -> Instant {
    let parts = hour.split(separator: ":").compactMap { Int64($0) }
    return Instant(seconds: TestWall.midnight.seconds + parts[0] * 3600 + parts[1] * 60)
  }

  private func seconds(_ text: String) throws -> Double {
    for (unit, factor) in [("min", 60.0), ("h", 3600.0)] where text.hasSuffix(unit) {
      if let number = Double(text.dropLast(unit.count)) { return number * factor }
    }
    guard let number = Double(text) else { throw Unknown(text: text) }
    return number
  }

  struct Unknown: Error { let text: String }

  /// The config of a line, before `|`.
  private struct Setting {
    var entries: [Schedule.Entry] = []
    var pages = ["main", "match"]
    var displays = [Wall.Display(name: "A")]
    var breaks: [String] = []
    var rotation: Double?
    var isStill = false
    var brightness: Int?
    var preset = GameRules.Preset.basketball
    /// How many sets a match has at most.
    var sets: Int?
    var hasBoards = true
    var showsSetUp = false

    init(_ text: String) throws {
      for item in text.split(separator: ",") {
        let words = item.split(separator: " ").map(String.init)
        switch words.first {
        case nil: break
        case "rotate": rotation = Double(words[1])
        case "still": isStill = true
        case "dim": brightness = Int(words[1])
        case "pages": pages = Array(words.dropFirst())
        case "during": breaks = Array(words.dropFirst())
        case "best": sets = Int(words[1])
        case "no-boards": hasBoards = false
        case "set-up": showsSetUp = true
        case "displays":
          displays = words.dropFirst().map { name in
            var settings: OutputSettings?
            if name == "B" { settings = OutputSettings(name: "tall") }
            if name == "T" {
              settings = OutputSettings(name: "dim")
              settings?.brightness = 30
            }
            if name == "P" {
              settings = OutputSettings(name: "fixed")
              settings?.page = "match"
            }
            return Wall.Display(name: name, settings: settings)
          }
        case let name?:
          if let other = GameRules.Preset(rawValue: name) {
            preset = other
          } else {
            entries.append(try Self.entry(words))
          }
        }
      }
    }

    private static func entry(_ words: [String]) throws -> Schedule.Entry {
      let hours = words.count > 1 ? words[1].split(separator: "-").compactMap { Double($0) } : []
      guard hours.count == 2 else { throw Unknown(text: words.joined(separator: " ")) }
      func value(_ key: String) -> String? {
        words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
      }
      let lights: [String: Schedule.Light] = [
        "on": .on, "off": .off, "black": .black, "off-and-black": .offAndBlack,
      ]
      return WallStateTests.entry(
        words[0], hours[0], hours[1], brightness: value("brightness").flatMap { Int($0) },
        page: value("page"), theme: value("theme"), light: value("light").flatMap { lights[$0] },
        waits: !words.contains("impatient"))
    }

    func configure(_ configuration: inout Configuration) {
      configuration = TestWall.configuration(pages)
      configuration.remote.showsSetUp = showsSetUp
      if !hasBoards { configuration.widgets = [] }
      for index in pages.indices where pages[index] == "match" {
        configuration.pages[index].showDuring = breaks
      }
      if let rotation { configuration.rotation.every = rotation }
      if isStill { configuration.motion = .none }
      if let brightness { configuration.display.brightness = brightness }
      configuration.game.rules = GameRules(preset)
      if let sets {
        configuration.game.rules.periods = sets
        configuration.game.rules.periodsToWin = sets / 2 + 1
      }
    }
  }
}

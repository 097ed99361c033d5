// SPDX-License-Identifier: Apache-2.0

// Complete matches, point by point, as in an official score sheet: `h` or `g` is the team that scores, in
// darts with its points, followed by the state in the sheet and the next server (`!`: the turn was a bust).
// In place of the state, `leg` or `set` means that the team wins it, and `timeout` that it takes a time-out.
// `=1:30`: an interval of that length begins. The order of the points is invented. The
// results of the sets are real in three matches: the men's volleyball final of the 2020 Olympics, the women's
// tennis final of the 2019 Australian Open, and the men's badminton final of the 2012 Olympics, except for
// its last game.
enum CompleteMatches {
  static let volleyball = """
    set 1 h
    g:0-1g g:0-2g g:0-3g g:0-4g h:1-4h g:1-5g h:2-5h g:2-6g h:3-6h g:3-7g g:3-8g g:3-9g h:timeout g:3-10g h:4-10h
    h:5-10h g:5-11g h:6-11h h:7-11h h:8-11h h:9-11h g:timeout g:timeout h:10-11h g:10-12g h:11-12h h:12-12h h:13-12h g:13-13g
    g:13-14g h:14-14h g:14-15g h:15-15h h:16-15h h:17-15h g:17-16g g:17-17g h:18-17h g:18-18g h:19-18h
    h:20-18h g:20-19g g:20-20g g:20-21g g:20-22g h:21-22h h:22-22h h:23-22h g:23-23g h:24-23h h:25-23h=3:00
    won 1-0
    set 2 g
    h:1-0h g:1-1g h:2-1h g:2-2g h:3-2h h:4-2h h:5-2h g:5-3g g:5-4g h:6-4h h:7-4h h:8-4h h:9-4h h:10-4h
    g:10-5g h:11-5h h:12-5h g:12-6g h:13-6h h:14-6h g:14-7g g:14-8g g:14-9g h:15-9h g:15-10g g:15-11g
    h:16-11h h:17-11h g:17-12g g:17-13g h:18-13h h:19-13h g:19-14g g:19-15g h:20-15h h:21-15h h:22-15h
    h:23-15h h:24-15h g:24-16g g:24-17g h:25-17h=3:00
    won 2-0
    set 3 h
    h:1-0h h:2-0h h:3-0h g:3-1g h:4-1h g:4-2g h:5-2h h:6-2h g:6-3g g:6-4g h:7-4h h:8-4h g:8-5g g:8-6g
    g:8-7g h:9-7h g:9-8g g:9-9g g:9-10g h:10-10h g:10-11g g:10-12g g:10-13g h:11-13h h:12-13h g:12-14g
    h:13-14h g:13-15g g:13-16g g:13-17g g:13-18g h:14-18h h:15-18h h:16-18h g:16-19g g:16-20g h:17-20h
    g:17-21g g:17-22g g:17-23g g:17-24g g:17-25g=3:00
    won 2-1
    set 4 g
    g:0-1g h:1-1h g:1-2g h:2-2h h:3-2h h:4-2h h:5-2h g:5-3g g:5-4g h:6-4h h:7-4h h:8-4h h:9-4h g:9-5g
    h:10-5h g:10-6g h:11-6h g:11-7g g:11-8g h:12-8h g:12-9g h:13-9h h:14-9h g:14-10g g:14-11g g:14-12g
    g:14-13g h:15-13h g:15-14g g:15-15g g:15-16g h:16-16h h:17-16h g:17-17g h:18-17h h:19-17h h:20-17h
    g:20-18g g:20-19g g:20-20g g:20-21g g:20-22g h:21-22h g:21-23g g:21-24g g:21-25g=3:00
    won 2-2
    set 5 g toss
    h:1-0h g:1-1g h:2-1h g:2-2g h:3-2h h:4-2h g:4-3g g:4-4g h:5-4h h:6-4h g:6-5g g:6-6g g:6-7g h:7-7h
    g:7-8g g:7-9g g:7-10g g:7-11g g:7-12g h:8-12h g:timeout h:9-12h h:10-12h h:11-12h h:12-12h h:13-12h h:14-12h
    h:15-12h
    won 3-2
    """

  static let tableTennis = """
    set 1 g
    h:1-0g h:2-0h g:2-1h h:3-1g g:3-2g h:4-2h h:5-2h h:6-2g h:7-2g g:7-3h h:8-3h g:8-4g g:8-5g g:8-6h
    g:8-7h g:8-8g g:8-9g h:9-9h h:10-9h h:11-9g=1:00
    won 1-0
    set 2 h
    g:0-1h h:1-1g g:1-2g g:1-3h h:2-3h g:2-4g h:3-4g h:4-4h g:4-5h h:5-5g h:6-5g g:6-6h h:7-6h h:8-6g
    g:8-7g g:8-8h g:8-9h g:8-10g g:8-11g=1:00
    won 1-1
    set 3 g
    h:1-0g g:1-1h h:2-1h g:2-2g g:2-3g g:2-4h h:3-4h g:3-5g g:3-6g h:timeout h:4-6h h:5-6h h:6-6g g:6-7g g:6-8h
    h:7-8h g:7-9g h:8-9g g:8-10h h:9-10h h:10-10g h:11-10h h:12-10g=1:00
    won 2-1
    set 4 h
    h:1-0h h:2-0g h:3-0g h:4-0h g:4-1h g:4-2g h:5-2g g:5-3h g:5-4h h:6-4g g:6-5g h:7-5h g:7-6h h:8-6g
    g:8-7g h:9-7h g:9-8h g:9-9g g:9-10g g:9-11h=1:00
    won 2-2
    set 5 g
    g:0-1g h:1-1h g:1-2h h:2-2g g:2-3g h:3-3h g:3-4h g:3-5g h:4-5g g:4-6h g:4-7h h:5-7g h:6-7g g:timeout h:7-7h
    h:8-7h g:8-8g g:8-9g h:9-9h g:9-10h h:10-10g g:10-11h h:11-11g h:12-11h h:13-11g
    won 3-2
    """

  static let badminton = """
    set 1 h
    h:1-0h h:2-0h h:3-0h g:3-1g h:4-1h g:4-2g h:5-2h g:5-3g h:6-3h g:6-4g g:6-5g g:6-6g g:6-7g h:7-7h
    h:8-7h h:9-7h h:10-7h g:10-8g g:10-9g g:10-10g g:10-11g=1:00 h:11-11h h:12-11h g:12-12g g:12-13g
    g:12-14g h:13-14h g:13-15g h:14-15h g:14-16g g:14-17g g:14-18g g:14-19g h:15-19h g:15-20g g:15-21g=2:00
    won 0-1
    set 2 g
    h:1-0h h:2-0h h:3-0h g:3-1g h:4-1h h:5-1h h:6-1h h:7-1h g:7-2g g:7-3g g:7-4g h:8-4h h:9-4h h:10-4h
    g:10-5g g:10-6g g:10-7g h:11-7h=1:00 h:12-7h h:13-7h h:14-7h h:15-7h h:16-7h g:16-8g h:17-8h g:17-9g
    h:18-9h g:18-10g h:19-10h h:20-10h h:21-10h=2:00
    won 1-1
    set 3 h
    h:1-0h g:1-1g h:2-1h h:3-1h h:4-1h h:5-1h h:6-1h h:7-1h h:8-1h g:8-2g g:8-3g g:8-4g h:9-4h g:9-5g
    g:9-6g h:10-6h g:10-7g h:11-7h=1:00 g:11-8g h:12-8h g:12-9g h:13-9h g:13-10g g:13-11g h:14-11h h:15-11h
    h:16-11h g:16-12g g:16-13g g:16-14g h:17-14h h:18-14h g:18-15g g:18-16g g:18-17g g:18-18g g:18-19g
    g:18-20g h:19-20h h:20-20h h:21-20h g:21-21g g:21-22g h:22-22h h:23-22h g:23-23g h:24-23h g:24-24g
    g:24-25g h:25-25h g:25-26g h:26-26h g:26-27g h:27-27h g:27-28g h:28-28h h:29-28h g:29-29g h:30-29h
    won 2-1
    """

  static let tennis = """
    set 1 h
    h:0-0,15-0h g:0-0,15-15h g:0-0,15-30h g:0-0,15-40h g:0-1,0-0g g:0-1,0-15g g:0-1,0-30g h:0-1,15-30g
    h:0-1,30-30g g:0-1,30-40g h:0-1,40-40g g:0-1,40-ADg h:0-1,40-40g h:0-1,AD-40g h:1-1,0-0h g:1-1,0-15h
    g:1-1,0-30h g:1-1,0-40h g:1-2,0-0g=1:30 g:1-2,0-15g h:1-2,15-15g h:1-2,30-15g g:1-2,30-30g h:1-2,40-30g
    h:2-2,0-0h h:2-2,15-0h h:2-2,30-0h g:2-2,30-15h h:2-2,40-15h h:3-2,0-0g=1:30 g:3-2,0-15g h:3-2,15-15g
    g:3-2,15-30g g:3-2,15-40g h:3-2,30-40g g:3-3,0-0h g:3-3,0-15h h:3-3,15-15h g:3-3,15-30h g:3-3,15-40h
    g:3-4,0-0g=1:30 g:3-4,0-15g g:3-4,0-30g h:3-4,15-30g h:3-4,30-30g h:3-4,40-30g h:4-4,0-0h h:4-4,15-0h
    g:4-4,15-15h g:4-4,15-30h g:4-4,15-40h h:4-4,30-40h h:4-4,40-40h h:4-4,AD-40h h:5-4,0-0g=1:30
    h:5-4,15-0g h:5-4,30-0g g:5-4,30-15g h:5-4,40-15g g:5-4,40-30g g:5-4,40-40g g:5-4,40-ADg g:5-5,0-0h
    h:5-5,15-0h h:5-5,30-0h h:5-5,40-0h g:5-5,40-15h h:6-5,0-0g=1:30 g:6-5,0-15g g:6-5,0-30g g:6-5,0-40g
    h:6-5,15-40g g:6-6,0-0h h:6-6,1-0g h:6-6,2-0g g:6-6,2-1h h:6-6,3-1h h:6-6,4-1g h:6-6,5-1g h:6-6,6-1h
    h:set=2:00
    won 1-0
    set 2 g
    h:0-0,15-0g g:0-0,15-15g h:0-0,30-15g g:0-0,30-30g g:0-0,30-40g g:0-1,0-0h g:0-1,0-15h g:0-1,0-30h
    g:0-1,0-40h h:0-1,15-40h h:0-1,30-40h g:0-2,0-0g h:0-2,15-0g h:0-2,30-0g h:0-2,40-0g h:1-2,0-0h=1:30
    g:1-2,0-15h h:1-2,15-15h g:1-2,15-30h g:1-2,15-40h h:1-2,30-40h g:1-3,0-0g h:1-3,15-0g g:1-3,15-15g
    h:1-3,30-15g h:1-3,40-15g g:1-3,40-30g g:1-3,40-40g g:1-3,40-ADg g:1-4,0-0h=1:30 h:1-4,15-0h
    g:1-4,15-15h g:1-4,15-30h g:1-4,15-40h h:1-4,30-40h h:1-4,40-40h g:1-4,40-ADh h:1-4,40-40h g:1-4,40-ADh
    h:1-4,40-40h g:1-4,40-ADh h:1-4,40-40h h:1-4,AD-40h g:1-4,40-40h g:1-4,40-ADh h:1-4,40-40h g:1-4,40-ADh
    h:1-4,40-40h g:1-4,40-ADh h:1-4,40-40h g:1-4,40-ADh h:1-4,40-40h g:1-4,40-ADh h:1-4,40-40h h:1-4,AD-40h
    h:2-4,0-0g g:2-4,0-15g h:2-4,15-15g g:2-4,15-30g g:2-4,15-40g h:2-4,30-40g h:2-4,40-40g g:2-4,40-ADg
    h:2-4,40-40g g:2-4,40-ADg h:2-4,40-40g g:2-4,40-ADg h:2-4,40-40g g:2-4,40-ADg h:2-4,40-40g g:2-4,40-ADg
    h:2-4,40-40g g:2-4,40-ADg h:2-4,40-40g g:2-4,40-ADg h:2-4,40-40g h:2-4,AD-40g h:3-4,0-0h=1:30
    g:3-4,0-15h g:3-4,0-30h g:3-4,0-40h g:3-5,0-0g g:3-5,0-15g g:3-5,0-30g h:3-5,15-30g h:3-5,30-30g
    g:3-5,30-40g h:3-5,40-40g h:3-5,AD-40g g:3-5,40-40g g:3-5,40-ADg h:3-5,40-40g h:3-5,AD-40g
    h:4-5,0-0h=1:30 g:4-5,0-15h h:4-5,15-15h h:4-5,30-15h h:4-5,40-15h g:4-5,40-30h h:5-5,0-0g g:5-5,0-15g
    h:5-5,15-15g h:5-5,30-15g g:5-5,30-30g g:5-5,30-40g h:5-5,40-40g h:5-5,AD-40g g:5-5,40-40g h:5-5,AD-40g
    g:5-5,40-40g g:5-5,40-ADg h:5-5,40-40g g:5-5,40-ADg h:5-5,40-40g g:5-5,40-ADg h:5-5,40-40g g:5-5,40-ADg
    g:5-6,0-0h=1:30 g:5-6,0-15h g:5-6,0-30h g:5-6,0-40h h:5-6,15-40h h:5-6,30-40h g:set=2:00
    won 1-1
    set 3 g
    g:0-0,0-15g g:0-0,0-30g g:0-0,0-40g g:0-1,0-0h g:0-1,0-15h h:0-1,15-15h g:0-1,15-30h g:0-1,15-40h
    h:0-1,30-40h g:0-2,0-0g g:0-2,0-15g g:0-2,0-30g h:0-2,15-30g g:0-2,15-40g h:0-2,30-40g h:0-2,40-40g
    g:0-2,40-ADg h:0-2,40-40g h:0-2,AD-40g h:1-2,0-0h=1:30 h:1-2,15-0h g:1-2,15-15h g:1-2,15-30h
    h:1-2,30-30h h:1-2,40-30h g:1-2,40-40h g:1-2,40-ADh h:1-2,40-40h g:1-2,40-ADh h:1-2,40-40h h:1-2,AD-40h
    g:1-2,40-40h g:1-2,40-ADh h:1-2,40-40h h:1-2,AD-40h g:1-2,40-40h g:1-2,40-ADh g:1-3,0-0g g:1-3,0-15g
    g:1-3,0-30g h:1-3,15-30g g:1-3,15-40g h:1-3,30-40g h:1-3,40-40g g:1-3,40-ADg h:1-3,40-40g h:1-3,AD-40g
    g:1-3,40-40g g:1-3,40-ADg h:1-3,40-40g h:1-3,AD-40g g:1-3,40-40g g:1-3,40-ADg h:1-3,40-40g h:1-3,AD-40g
    g:1-3,40-40g h:1-3,AD-40g g:1-3,40-40g g:1-3,40-ADg h:1-3,40-40g g:1-3,40-ADg h:1-3,40-40g h:1-3,AD-40g
    h:2-3,0-0h=1:30 h:2-3,15-0h h:2-3,30-0h g:2-3,30-15h h:2-3,40-15h h:3-3,0-0g g:3-3,0-15g h:3-3,15-15g
    g:3-3,15-30g h:3-3,30-30g g:3-3,30-40g g:3-4,0-0h=1:30 h:3-4,15-0h h:3-4,30-0h g:3-4,30-15h
    h:3-4,40-15h h:4-4,0-0g g:4-4,0-15g h:4-4,15-15g h:4-4,30-15g h:4-4,40-15g h:5-4,0-0h=1:30 h:5-4,15-0h
    g:5-4,15-15h g:5-4,15-30h h:5-4,30-30h g:5-4,30-40h h:5-4,40-40h g:5-4,40-ADh h:5-4,40-40h g:5-4,40-ADh
    h:5-4,40-40h g:5-4,40-ADh h:5-4,40-40h g:5-4,40-ADh h:5-4,40-40h h:5-4,AD-40h h:set
    won 2-1
    """

  static let darts = """
    leg 1 h
    h121:380-501g g60:380-441h h133:247-441g g41:247-400h h45:202-400g g60:202-340h h125:77-340g g41:77-299h
    h77:leg
    won 1-0
    leg 2 g
    g45:501-456h h140:361-456g g140:361-316h h45:316-316g g95:316-221h h45:271-221g g140:271-81h h41:230-81g
    g60:230-21h h41:189-21g g21:leg
    won 1-1
    leg 3 h
    h41:460-501g g95:460-406h h41:419-406g g60:419-346h h100:319-346g g140:319-206h h60:259-206g
    g60:259-146h h100:159-146g g167:159-146h! h85:74-146g g45:74-101h h74:leg
    won 2-1
    leg 4 g
    g140:501-361h h121:380-361g g140:380-221h h140:240-221g g125:240-96h h100:140-96g g95:140-96h!
    h143:140-96g! g96:leg
    won 2-2
    leg 5 h
    h121:380-501g g140:380-361h h100:280-361g g45:280-316h h60:220-316g g0:220-316h h140:80-316g g81:80-235h
    h80:leg
    won 3-2
    """

  /// Four quarters and two overtimes. A line has the time on the clock, the team, its action, and the state
  /// after it.
  static let basketball = """
    period QUARTER 1
    9:38 g +3 = 0-3 fouls 0-0 time-outs 0-0
    9:26 g timeout = 0-3 fouls 0-0 time-outs 0-1
    8:47 g +3 = 0-6 fouls 0-0 time-outs 0-1
    8:33 h +3 = 3-6 fouls 0-0 time-outs 0-1
    7:50 h +2 = 5-6 fouls 0-0 time-outs 0-1
    6:58 g +2 = 5-8 fouls 0-0 time-outs 0-1
    6:52 h +3 = 8-8 fouls 0-0 time-outs 0-1
    6:37 g +2 = 8-10 fouls 0-0 time-outs 0-1
    5:24 h timeout = 8-10 fouls 0-0 time-outs 1-1
    4:59 h +2 = 10-10 fouls 0-0 time-outs 1-1
    4:57 g timeout = 10-10 fouls 0-0 time-outs 1-2
    4:46 g +2 = 10-12 fouls 0-0 time-outs 1-2
    4:22 g +2 = 10-14 fouls 0-0 time-outs 1-2
    3:57 h +2 = 12-14 fouls 0-0 time-outs 1-2
    3:40 h foul = 12-14 fouls 1-0 time-outs 1-2
    3:36 h +3 = 15-14 fouls 1-0 time-outs 1-2
    1:52 h +2 = 17-14 fouls 1-0 time-outs 1-2
    1:29 g +1 = 17-15 fouls 1-0 time-outs 1-2
    1:27 h +2 = 19-15 fouls 1-0 time-outs 1-2
    1:13 h timeout = 19-15 fouls 1-0 time-outs 2-2
    1:10 h +3 = 22-15 fouls 1-0 time-outs 2-2
    0:55 g foul = 22-15 fouls 1-1 time-outs 2-2
    0:32 h foul = 22-15 fouls 2-1 time-outs 2-2
    0:19 h foul = 22-15 fouls 3-1 time-outs 2-2
    0:06 g +2 = 22-17 fouls 3-1 time-outs 2-2
    0:02 g +1 = 22-18 fouls 3-1 time-outs 2-2
    end 22-18
    period QUARTER 2
    9:50 g foul = 22-18 fouls 0-1 time-outs 2-2
    9:29 h +3 = 25-18 fouls 0-1 time-outs 2-2
    8:17 h +2 = 27-18 fouls 0-1 time-outs 2-2
    8:16 g +2 = 27-20 fouls 0-1 time-outs 2-2
    7:46 g foul = 27-20 fouls 0-2 time-outs 2-2
    7:13 g +2 = 27-22 fouls 0-2 time-outs 2-2
    6:39 g +2 = 27-24 fouls 0-2 time-outs 2-2
    6:37 g +1 = 27-25 fouls 0-2 time-outs 2-2
    6:22 h +2 = 29-25 fouls 0-2 time-outs 2-2
    6:19 g +2 = 29-27 fouls 0-2 time-outs 2-2
    5:20 g +1 = 29-28 fouls 0-2 time-outs 2-2
    5:05 h +2 = 31-28 fouls 0-2 time-outs 2-2
    4:17 g +2 = 31-30 fouls 0-2 time-outs 2-2
    4:10 g +1 = 31-31 fouls 0-2 time-outs 2-2
    3:55 g +1 = 31-32 fouls 0-2 time-outs 2-2
    3:35 g +1 = 31-33 fouls 0-2 time-outs 2-2
    3:23 h +1 = 32-33 fouls 0-2 time-outs 2-2
    3:16 h +2 = 34-33 fouls 0-2 time-outs 2-2
    3:09 h +2 = 36-33 fouls 0-2 time-outs 2-2
    2:44 g foul = 36-33 fouls 0-3 time-outs 2-2
    2:39 g +2 = 36-35 fouls 0-3 time-outs 2-2
    2:20 h +2 = 38-35 fouls 0-3 time-outs 2-2
    2:12 g +1 = 38-36 fouls 0-3 time-outs 2-2
    1:34 g +2 = 38-38 fouls 0-3 time-outs 2-2
    1:22 g +2 = 38-40 fouls 0-3 time-outs 2-2
    1:18 h +1 = 39-40 fouls 0-3 time-outs 2-2
    1:17 h foul = 39-40 fouls 1-3 time-outs 2-2
    0:17 g +1 = 39-41 fouls 1-3 time-outs 2-2
    end 39-41
    period QUARTER 3
    9:21 h +1 = 40-41 fouls 0-0 time-outs 0-0
    8:33 g foul = 40-41 fouls 0-1 time-outs 0-0
    8:15 g timeout = 40-41 fouls 0-1 time-outs 0-1
    8:08 h +3 = 43-41 fouls 0-1 time-outs 0-1
    8:06 h +3 = 46-41 fouls 0-1 time-outs 0-1
    7:45 g +2 = 46-43 fouls 0-1 time-outs 0-1
    7:09 h foul = 46-43 fouls 1-1 time-outs 0-1
    6:18 g +3 = 46-46 fouls 1-1 time-outs 0-1
    6:08 h +1 = 47-46 fouls 1-1 time-outs 0-1
    6:02 g +2 = 47-48 fouls 1-1 time-outs 0-1
    5:51 g +2 = 47-50 fouls 1-1 time-outs 0-1
    5:28 g foul = 47-50 fouls 1-2 time-outs 0-1
    5:21 g +1 = 47-51 fouls 1-2 time-outs 0-1
    5:20 h foul = 47-51 fouls 2-2 time-outs 0-1
    2:21 g +2 = 47-53 fouls 2-2 time-outs 0-1
    2:14 h +2 = 49-53 fouls 2-2 time-outs 0-1
    1:28 h +2 = 51-53 fouls 2-2 time-outs 0-1
    1:21 g +2 = 51-55 fouls 2-2 time-outs 0-1
    1:19 h +1 = 52-55 fouls 2-2 time-outs 0-1
    1:18 h +2 = 54-55 fouls 2-2 time-outs 0-1
    1:16 g +2 = 54-57 fouls 2-2 time-outs 0-1
    1:10 g +3 = 54-60 fouls 2-2 time-outs 0-1
    0:47 h +2 = 56-60 fouls 2-2 time-outs 0-1
    0:36 h +1 = 57-60 fouls 2-2 time-outs 0-1
    0:32 h +1 = 58-60 fouls 2-2 time-outs 0-1
    0:23 h foul = 58-60 fouls 3-2 time-outs 0-1
    0:20 h +2 = 60-60 fouls 3-2 time-outs 0-1
    end 60-60
    period QUARTER 4
    8:54 g +2 = 60-62 fouls 0-0 time-outs 0-1
    8:30 h +1 = 61-62 fouls 0-0 time-outs 0-1
    8:27 g +2 = 61-64 fouls 0-0 time-outs 0-1
    8:04 g +1 = 61-65 fouls 0-0 time-outs 0-1
    7:43 g +3 = 61-68 fouls 0-0 time-outs 0-1
    7:23 g foul = 61-68 fouls 0-1 time-outs 0-1
    7:05 h +1 = 62-68 fouls 0-1 time-outs 0-1
    6:56 g +1 = 62-69 fouls 0-1 time-outs 0-1
    6:35 g +1 = 62-70 fouls 0-1 time-outs 0-1
    6:33 g timeout = 62-70 fouls 0-1 time-outs 0-2
    6:01 g foul = 62-70 fouls 0-2 time-outs 0-2
    5:26 h +2 = 64-70 fouls 0-2 time-outs 0-2
    4:45 h +3 = 67-70 fouls 0-2 time-outs 0-2
    4:43 h foul = 67-70 fouls 1-2 time-outs 0-2
    4:18 g +2 = 67-72 fouls 1-2 time-outs 0-2
    3:46 g +1 = 67-73 fouls 1-2 time-outs 0-2
    3:41 g +2 = 67-75 fouls 1-2 time-outs 0-2
    3:36 g foul = 67-75 fouls 1-3 time-outs 0-2
    3:27 h +2 = 69-75 fouls 1-3 time-outs 0-2
    3:25 h +3 = 72-75 fouls 1-3 time-outs 0-2
    2:55 g timeout = 72-75 fouls 1-3 time-outs 0-3
    2:21 g +2 = 72-77 fouls 1-3 time-outs 0-3
    2:19 h +3 = 75-77 fouls 1-3 time-outs 0-3
    1:57 h foul = 75-77 fouls 2-3 time-outs 0-3
    1:07 g +1 = 75-78 fouls 2-3 time-outs 0-3
    0:43 h +3 = 78-78 fouls 2-3 time-outs 0-3
    end 78-78
    period OVERTIME
    4:36 h +2 = 80-78 fouls 2-3 time-outs 0-0
    4:35 g +1 = 80-79 fouls 2-3 time-outs 0-0
    4:05 g +1 = 80-80 fouls 2-3 time-outs 0-0
    4:03 g +1 = 80-81 fouls 2-3 time-outs 0-0
    3:50 h timeout = 80-81 fouls 2-3 time-outs 1-0
    3:10 g timeout = 80-81 fouls 2-3 time-outs 1-1
    2:13 h +3 = 83-81 fouls 2-3 time-outs 1-1
    1:44 g +3 = 83-84 fouls 2-3 time-outs 1-1
    1:43 g +2 = 83-86 fouls 2-3 time-outs 1-1
    1:33 h +2 = 85-86 fouls 2-3 time-outs 1-1
    1:01 h +2 = 87-86 fouls 2-3 time-outs 1-1
    0:57 g +1 = 87-87 fouls 2-3 time-outs 1-1
    0:41 g foul = 87-87 fouls 2-4 time-outs 1-1
    0:07 h foul = 87-87 fouls 3-4 time-outs 1-1
    end 87-87
    period OVERTIME 2
    4:53 h +2 = 89-87 fouls 3-4 time-outs 0-0
    4:43 h +1 = 90-87 fouls 3-4 time-outs 0-0
    4:19 h +1 = 91-87 fouls 3-4 time-outs 0-0
    3:59 h foul = 91-87 fouls 4-4 time-outs 0-0
    3:14 g foul = 91-87 fouls 4-5 time-outs 0-0
    2:57 g timeout = 91-87 fouls 4-5 time-outs 0-1
    2:49 g +3 = 91-90 fouls 4-5 time-outs 0-1
    1:46 g +3 = 91-93 fouls 4-5 time-outs 0-1
    0:52 h +2 = 93-93 fouls 4-5 time-outs 0-1
    0:05 h +2 = 95-93 fouls 4-5 time-outs 0-1
    end 95-93
    """
}

// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ControlCalls
import Display
import LinuxSystem
import Widgets

/// What `status` reports about the displays.
extension WallDisplays {
  /// The widgets that do not fit on one of the displays.
  var leftOut: [LeftOutStatus] {
    var result: [LeftOutStatus] = []
    for widget in presenter.canvases.flatMap(\.stage.leftOut) {
      let status = LeftOutStatus(page: widget.page, name: widget.name, reason: widget.reason)
      if !result.contains(status) { result.append(status) }
    }
    return result
  }

  var liveCost: CostStatus {
    var status = cost.perMinute(until: .now(loop, bytesCopied: presenter.displays.bytesCopied))
    status.residentBytes = ThisProcess.residentBytes ?? 0
    return status
  }

  /// The displays that are connected or in trouble.
  var status: [OutputStatus] {
    presenter.displays.outputs.filter { $0.description != nil || $0.trouble != nil }.map { status(of: $0) }
  }

  private func status(of output: any Output) -> OutputStatus {
    let (description, statistics) = (output.description, output.statistics)
    let times = presenter.canvas(of: output)?.member(output)?.frameTimes
    let settings = settings(of: output)
    let details = presenter.canvas(of: output)?.stage.leftOutDetails.filter {
      settings?.page == nil || settings?.page == $0.page
    }
    return OutputStatus(
      driver: description?.driver ?? "", connector: description?.connector ?? output.name,
      mode: description?.mode.description ?? "",
      format: description?.format,
      dithered: description?.format.map { _ in description?.isDithered ?? false },
      rotation: description?.rotation.rawValue,
      framesPresented: Int(clamping: statistics.framesPresented),
      flipsMissed: Int(clamping: statistics.flipsMissed),
      bytesCopied: Int(clamping: statistics.bytesCopied),
      frameTimeMicroseconds: FrameTime(
        p50: Int(clamping: times?.p50 ?? 0), p99: Int(clamping: times?.p99 ?? 0)),
      blanked: output.isBlank, brightness: wall.brightness(of: output.name),
      backlight: backlights.name(for: output.name), page: settings?.page,
      settings: settings?.name, display: description?.identity, problem: output.trouble?.reason,
      since: output.trouble.map { Instant.wallTime(of: $0.since) }, tried: output.trouble?.attempts ?? [],
      leftOutDetails: details.flatMap { details in
        details.isEmpty
          ? nil
          : details.map { LeftOutDetailsStatus(page: $0.page, widget: $0.widget, details: $0.details) }
      })
  }
}

extension Instant {
  /// `time`, in nanoseconds of CLOCK_MONOTONIC, as wall time in RFC 3339.
  static func wallTime(of time: Int64) -> String {
    let age = (SystemClock.monotonic.now.totalNanoseconds - time) / 1_000_000_000
    return Instant(seconds: WallClock.now.seconds - age).rfc3339UTC
  }
}

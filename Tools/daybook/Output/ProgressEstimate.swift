/// Estimates the speed and the end of an operation from its completed parts.
struct ProgressEstimate {
    /// Recent parts count most: a part that is this old counts about a third.
    private static let memorySeconds = 5.0
    /// There is no estimate before this time, because it would change fast.
    private static let secondsMin = 1.0

    private var begin: Double?
    private var last = (seconds: 0.0, fraction: 0.0)
    /// The completed part and the time, both with the weights of ``memorySeconds``.
    private var recent = (fraction: 0.0, seconds: 0.0)

    /// Records that a fraction, 0 to 1, is complete. `seconds` is the time of any steady clock.
    mutating func add(_ fraction: Double, at seconds: Double) {
        defer { last = (seconds, fraction) }
        guard begin != nil else { return begin = seconds }
        let interval = max(0, seconds - last.seconds)
        let weight = Self.memorySeconds / (Self.memorySeconds + interval)
        recent.fraction = recent.fraction * weight + max(0, fraction - last.fraction)
        recent.seconds = recent.seconds * weight + interval
    }

    /// The part that is completed in a second; nil at the beginning, and while nothing proceeds.
    var speed: Double? {
        guard let begin, last.seconds - begin >= Self.secondsMin, recent.seconds > 0,
            recent.fraction > 0
        else { return nil }
        return recent.fraction / recent.seconds
    }

    /// The time until the end; nil without a speed.
    var secondsLeft: Double? { speed.map { max(0, 1 - last.fraction) / $0 } }

    /// The maximum width of ``text(workBytes:)``.
    static let textWidthMax = 28

    /// Returns the estimate as text: `12.3 MB/s  40 s left`. Without a number of bytes, it has no
    /// rate.
    func text(workBytes: Int?) -> String {
        guard let speed, let secondsLeft else { return "" }
        let rate = workBytes.map { Self.rate(bytesPerSecond: speed * Double($0)) + "  " }
        return (rate ?? "") + Self.time(secondsLeft: secondsLeft)
    }

    /// Returns a rate in decimal units, as in `12.3 MB/s`.
    static func rate(bytesPerSecond: Double) -> String {
        var value = max(0, bytesPerSecond) / 1_000
        var units = ["kB/s", "MB/s", "GB/s"][...]
        // 999.95 would be rounded to 1000.0.
        while value >= 999.95, units.count > 1 {
            value /= 1_000
            units.removeFirst()
        }
        let tenths = Int(min(value * 10, 9_999).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
    }

    /// Returns a time, rounded up to units that change rarely, as in `40 s left` or `3 min left`.
    static func time(secondsLeft: Double) -> String {
        let seconds = Int(min(secondsLeft, 359_940).rounded(.up))
        if seconds < 60 { return "\(seconds) s left" }
        let minutes = (seconds + 59) / 60
        if minutes < 60 { return "\(minutes) min left" }
        return "\(minutes / 60) h \(minutes % 60) min left"
    }
}

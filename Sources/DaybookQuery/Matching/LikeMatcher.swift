import DaybookBytes

/// Fits a ``LikePattern`` to texts. The time grows with the length of the text, and for parts
/// with `?` in the middle also with their length, divided by 64: there is no going back.
struct LikeMatcher: Sendable {
    /// What stands between two `*`.
    struct Segment: Sendable {
        /// A scalar's bytes, or nil for any scalar.
        let scalars: [[UInt8]?]
        let search: ScalarSearch

        init(_ parts: ArraySlice<LikePattern.Part>) {
            scalars = parts.map { part in
                if case .scalar(let scalar) = part { Array(String(scalar).utf8) } else { nil }
            }
            search = ScalarSearch(scalars)
        }

        /// Where it ends if it begins at `start`; nil if it does not.
        func end(in text: Span<UInt8>, from start: Int) -> Int? {
            var place = start
            for scalar in scalars {
                let end = Utf8Walk.end(of: place, in: text)
                guard end > place else { return nil }
                if let scalar {
                    guard text.extracting(place..<end).isEqual(to: scalar) else { return nil }
                }
                place = end
            }
            return place
        }

        /// Where it begins if it ends at the end of the text, and not before `first`.
        func start(in text: Span<UInt8>, notBefore first: Int) -> Int? {
            var place = text.count
            for scalar in scalars.reversed() {
                let start = Utf8Walk.start(before: place, in: text)
                guard start >= first, start < place else { return nil }
                if let scalar {
                    guard text.extracting(start..<place).isEqual(to: scalar) else { return nil }
                }
                place = start
            }
            return place
        }
    }

    private let segments: [Segment]

    init(_ pattern: LikePattern) {
        segments = pattern.parts.split(separator: .any, omittingEmptySubsequences: false)
            .map(Segment.init)
    }

    func isTrue(of text: Span<UInt8>) -> Bool {
        var steps = 0
        return isTrue(of: text, steps: &steps)
    }

    /// Also counts how many times a scalar of the text was looked at.
    func isTrue(of text: Span<UInt8>, steps: inout Int) -> Bool {
        guard let first = segments.first, let last = segments.last else { return text.count == 0 }
        steps += first.scalars.count + 1
        guard var place = first.end(in: text, from: 0) else { return false }
        guard segments.count > 1 else { return place == text.count }
        for segment in segments.dropFirst().dropLast() {
            guard let end = segment.search.end(in: text, from: place, steps: &steps) else {
                return false
            }
            place = end
        }
        steps += last.scalars.count + 1
        return last.start(in: text, notBefore: place) != nil
    }
}

/// Steps from scalar to scalar, also in bytes that are no UTF-8.
enum Utf8Walk {
    /// Where the scalar that begins at `place` ends; the same place at the end.
    static func end(of place: Int, in text: Span<UInt8>) -> Int {
        guard place < text.count else { return place }
        var end = place + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// Where the scalar that ends at `place` begins; the same place at the beginning.
    static func start(before place: Int, in text: Span<UInt8>) -> Int {
        guard place > 0 else { return place }
        var start = place - 1
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}

extension Span<UInt8> {
    /// Whether the bytes are the same.
    @inline(__always)
    func isEqual(to other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// Whether the bytes at an offset are the same.
    @inline(__always)
    func has(_ other: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= other.count else { return false }
        for index in 0..<other.count where self[offset &+ index] != other[index] { return false }
        return true
    }
}

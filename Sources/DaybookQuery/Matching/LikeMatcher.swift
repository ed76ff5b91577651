import DaybookBytes

/// Matches a ``LikePattern`` without backtracking. The time is linear in the length of the string;
/// segments with `?` between two `*` multiply it by their length divided by 64.
struct LikeMatcher: Sendable {
    /// The part of a pattern between two `*`.
    struct Segment: Sendable {
        /// The bytes of each scalar; nil for any scalar.
        let scalars: [[UInt8]?]
        let search: ScalarSearch

        init(_ parts: ArraySlice<LikePattern.Part>) {
            scalars = parts.map { part in
                if case .scalar(let scalar) = part { Array(String(scalar).utf8) } else { nil }
            }
            search = ScalarSearch(scalars)
        }

        /// The end of the match that begins at `start`; nil if there is none.
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

        /// The start of the match that ends at the end of the string; nil if there is none at or
        /// after `first`.
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

    /// Also counts how often a scalar of the string was compared.
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

/// Iterates over the scalars of UTF-8. Accepts malformed UTF-8.
enum Utf8Walk {
    /// The end of the scalar that begins at `place`; `place` itself at the end.
    static func end(of place: Int, in text: Span<UInt8>) -> Int {
        guard place < text.count else { return place }
        var end = place + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// The start of the scalar that ends at `place`; `place` itself at the start.
    static func start(before place: Int, in text: Span<UInt8>) -> Int {
        guard place > 0 else { return place }
        var start = place - 1
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}

extension Span<UInt8> {
    /// Whether the bytes are equal.
    @inline(__always)
    func isEqual(to other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// Whether the bytes at an offset are equal to others.
    @inline(__always)
    func has(_ other: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= other.count else { return false }
        for index in 0..<other.count where self[offset &+ index] != other[index] { return false }
        return true
    }
}

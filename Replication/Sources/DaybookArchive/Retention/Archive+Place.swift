import Daybook
public import Foundation

extension Archive {
    /// The place in the replicated log after the last segment whose commits were all made before a
    /// time; nil if the archive has none. Removing the messages before it leaves the later ones to
    /// replicas that were away since that time.
    ///
    /// Throws `.invalidArgument` for a date that is not a number. Cost: a list of the segments, and
    /// a read of some headers.
    public func place(before date: Date) async throws -> [UInt8]? {
        let point = try ArchivePoint(.date(date))
        let sequences = try await allSegmentSequences()
        // Commit times never decrease. Each step reads the header in the middle.
        var (low, high) = (sequences.startIndex, sequences.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            let isReached = try await header(sequences[middle]).map(point.isReached) ?? false
            if isReached { high = middle } else { low = middle + 1 }
        }
        for sequence in sequences[..<low].reversed() {
            if let place = try await header(sequence)?.place, !place.isEmpty { return place }
        }
        return nil
    }

    /// When the last base was added; nil if there is none. Cost: a list of the bases.
    public func lastBaseDate() async throws -> Date? {
        try await baseNames().compactMap { ArchiveKey.time(ofBase: $0) }.max()
            .map { Date(timeIntervalSince1970: Double($0) / 1e6) }
    }
}

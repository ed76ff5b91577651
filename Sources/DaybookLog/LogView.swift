import DaybookBytes

/// A consistent view of the log at one moment: manifest, end, sparse index and segments. It retains
/// the segments, so they stay readable during a compaction.
package struct LogView: Sendable {
    package let manifest: Manifest
    /// The entry of the active segment, as if it were sealed at that moment.
    let active: SegmentEntry
    let end: LogPosition
    /// The sparse index of the active segment, and its start.
    let sparseIndex: [SparseIndexEntry]
    let sparseIndexStart: LogPosition
    /// The open segments, by slot.
    fileprivate let open: [UInt32: Segment]

    /// All segments, oldest first.
    package var entries: [SegmentEntry] { manifest.sealed + [active] }

    /// All segments; their records stay readable while the caller retains them.
    package var segments: [Segment] {
        get throws(DaybookError) {
            var segments: [Segment] = []
            for entry in entries { segments.append(try segment(entry.number)) }
            return segments
        }
    }

    /// A segment that the manifest names.
    func segment(_ number: UInt64) throws(DaybookError) -> Segment {
        guard let segment = open[SegmentNumber.slot(of: number)], segment.number == number else {
            throw .corruption(
                segment: number, offset: 0, "the manifest names it, but it is not open")
        }
        return segment
    }
}

extension Log {
    /// Captures the log without stopping its writer. If a roll, a compaction or a follower's
    /// refresh changes the manifest meanwhile, the capture is repeated.
    package func view() -> LogView {
        while true {
            let manifest = manifest
            let (active, end, sparseIndex, sparseIndexStart) = tail.withLock { tail in
                (tail.entry, tail.position, tail.sparseIndex, tail.sparseIndexStart)
            }
            let open = segments.withLock { $0.open }
            // A segment stays open as long as the current manifest names it.
            if end.segment == manifest.activeNumber,
                self.manifest.generation == manifest.generation
            {
                return LogView(
                    manifest: manifest, active: active, end: end, sparseIndex: sparseIndex,
                    sparseIndexStart: sparseIndexStart, open: open)
            }
        }
    }

    /// All segments, oldest first; the active one as if it were sealed now.
    package var entries: [SegmentEntry] { view().entries }
}

extension Tail {
    /// The entry of the active segment, as if it were sealed now.
    fileprivate var entry: SegmentEntry {
        SegmentEntry(
            number: segment.number, firstSequence: segment.firstSequence,
            lastSequence: lastSequence, length: offset, hash: 0, sealOffset: 0,
            rawBytes: rawBytes, recordCount: recordCount, isBlocked: false)
    }
}

import DaybookBytes

/// The log at one moment: manifest, end, waypoints and segments that belong together. While
/// somebody holds it, all of it stays readable, whatever a compaction does meanwhile.
package struct LogPicture: Sendable {
    package let manifest: Manifest
    /// What the active segment would be if it were sealed then.
    let active: SegmentEntry
    let end: LogPosition
    /// The waypoints of the active segment, and where they begin.
    let marks: [FrameMark]
    let marksBegin: LogPosition
    fileprivate let open: [UInt32: Segment]

    /// All segments in the order of time.
    package var entries: [SegmentEntry] { manifest.sealed + [active] }

    /// All segments; the places of their records stay readable while somebody holds them.
    package var segments: [Segment] {
        get throws(DaybookError) {
            var segments: [Segment] = []
            for entry in entries { segments.append(try segment(entry.number)) }
            return segments
        }
    }

    /// A segment that the manifest names.
    func segment(_ number: UInt32) throws(DaybookError) -> Segment {
        guard let segment = open[number] else {
            throw .corruption(
                segment: number, offset: 0, "the manifest names it and it is not open")
        }
        return segment
    }
}

extension Log {
    /// Looks at the log without stopping its writer: a roll, a compaction or a follower's step that
    /// comes in between changes the manifest, and then the look begins anew.
    package func picture() -> LogPicture {
        while true {
            let manifest = manifest
            let (active, end, marks, marksBegin) = tail.withLock { tail in
                (tail.entry, tail.position, tail.marks, tail.marksBegin)
            }
            let open = segments.withLock { $0.open }
            // A segment that a manifest names is open for as long as that manifest counts.
            if end.segment == manifest.activeNumber,
                self.manifest.generation == manifest.generation
            {
                return LogPicture(
                    manifest: manifest, active: active, end: end, marks: marks,
                    marksBegin: marksBegin, open: open)
            }
        }
    }

    /// All segments in the order of time; the active one as it would be if it were sealed now.
    package var entries: [SegmentEntry] { picture().entries }
}

extension Tail {
    /// What the segment would be if it were sealed now.
    fileprivate var entry: SegmentEntry {
        SegmentEntry(
            number: segment.number, firstSequence: segment.firstSequence,
            lastSequence: lastSequence, length: offset, hash: 0, sealOffset: 0,
            rawBytes: rawBytes, recordCount: recordCount, isBlocked: false)
    }
}

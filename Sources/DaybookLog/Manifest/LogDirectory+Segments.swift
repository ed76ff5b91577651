package import DaybookBytes

extension LogDirectory {
    /// Opens a store for reading like ``openForReading(_:_:)``, and the files of all its segments.
    ///
    /// A writer may replace segments at any time. The files are opened directly after the manifest
    /// was read, before anything that takes longer; an open file stays readable without its name.
    /// If a file is missing because a newer manifest does not name it, only the files that the
    /// newer manifest adds are opened. Beyond ``LogOptions/openFileCountMax``, the files of the
    /// oldest segments, which are replaced least often, are closed again.
    ///
    /// Throws the errors of ``openForReading(_:_:)``, and `.corruption` if a file is missing,
    /// belongs to another segment or has another length.
    package static func openForReading(
        _ path: String, _ fileSystem: any FileSystem, _ options: LogOptions
    ) throws(DaybookError) -> LogDirectory {
        var segments = OpenedSegments(files: OpenSegmentFiles(countMax: options.openFileCountMax))
        return try openForReading(path, fileSystem) { manifest throws(DaybookError) in
            try segments.open(manifest, in: path, fileSystem)
            return segments
        }
    }

    /// The active segment of the manifest. Opens the segment if it is not open.
    func activeSegment() throws(DaybookError) -> Segment {
        if let active = segments?.active { return active }
        return try Segment.openActive(
            of: manifest, in: path, fileSystem, lock == nil ? .read : .readWrite)
    }
}

/// The segments that a reader opened before its log.
struct OpenedSegments: Sendable {
    let files: OpenSegmentFiles
    /// The sealed segments by number.
    private(set) var sealed: [UInt64: Segment] = [:]
    private(set) var active: Segment?

    init(files: OpenSegmentFiles) { self.files = files }

    /// Opens the segments of a manifest that are not open, and leaves all others. If this throws,
    /// the segments that it opened stay open.
    mutating func open(
        _ manifest: Manifest, in directory: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        var left = sealed
        for entry in manifest.sealed where left.removeValue(forKey: entry.number) == nil {
            sealed[entry.number] = try Segment.openSealed(
                entry, of: manifest, in: directory, fileSystem, files)
        }
        active = try Segment.openActive(of: manifest, in: directory, fileSystem, .read)
        for number in left.keys { sealed[number] = nil }
    }
}

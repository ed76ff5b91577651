import DaybookBytes
import DaybookEngine
import DaybookTestSupport

extension NoteStore {
    /// Sets segments of two or three frames, and snapshots only on request.
    static func small(_ options: inout EngineOptions) {
        options.log.segmentSizeBytes = 2 << 10
        options.log.preallocationStepBytes = 1 << 10
        options.snapshotChangeCountMin = .max
    }

    /// Returns a store with sealed segments, a snapshot and an active segment.
    static func filled(
        _ fileSystem: any FileSystem, count: Int = 24
    ) throws -> NoteStore {
        let notes = try NoteStore(fileSystem, small)
        for number in 0..<count {
            try notes.put("note \(number) " + String(repeating: "x", count: 150))
        }
        return notes
    }
}

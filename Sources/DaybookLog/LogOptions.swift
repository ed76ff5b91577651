import DaybookBytes

/// Options of a log, none of which are part of the format.
package struct LogOptions: Sendable {
    /// The length at which a segment is sealed. A higher value gives fewer, larger files and a
    /// longer pause at each roll. The range of a frame offset limits it to 1 GiB.
    package var segmentSizeBytes = 64 << 20
    /// The step in which the active segment is preallocated. A synced append into preallocated
    /// space costs about 0.6 of one that extends the file.
    package var preallocationStepBytes = 4 << 20
    /// The budget for decompressed frames in memory.
    package var frameCacheBudgetBytes = 128 << 20
    /// Returns the memory that caches may take, in bytes; negative in a shortage of memory.
    package var spareMemory: @Sendable () -> Int = { SpareMemory.bytes }
    /// The number of files of sealed segments that stay open. A read of another one opens it,
    /// which costs some microseconds.
    package var openFileCountMax = 128
    /// The length of the frames that recovery copies and writes again at once. A higher value needs
    /// more memory, and fewer manifests for a long unsynced tail.
    package var tailCopyBytesMax = 4 << 20
    /// The maximum length of the frames of one transaction. The range of a frame offset limits it
    /// to 1 GiB.
    package var transactionBytesMax = 1 << 30
    /// The maximum length of one write.
    package var writeChunkBytesMax = 1 << 20

    /// Receives syncs and the error that stops the log; nil for none.
    package var observer: LogObserver?

    package init() {}
}

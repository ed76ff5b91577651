/// How a log behaves. Nothing here is part of the format.
package struct LogOptions: Sendable {
    /// A segment is sealed when it has reached this. Raising it makes fewer, larger files and a
    /// longer pause at each roll; the place of a frame limits it to 1 GiB.
    package var segmentSizeBytes = 64 << 20
    /// The active segment's size is set ahead in steps of this, which makes a synced append cost
    /// about 0.6 of one that grows the file.
    package var preallocationStepBytes = 4 << 20
    /// Inflated frames are kept in memory up to this.
    package var frameCacheBudgetBytes = 128 << 20
    /// The most bytes handed to one write.
    package var writeChunkBytesMax = 1 << 20

    package init() {}
}

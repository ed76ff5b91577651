/// What opening the log found and did.
package struct RecoveryReport: Equatable, Sendable {
    /// The last transaction that is there.
    package var lastSequence: UInt64 = 0
    /// Whether the log ended where the last close said.
    package var wasClosedCleanly = false
    /// Frames read to find the end.
    package var scannedFrameCount = 0
    /// Bytes of a torn tail that were cut off, and where they were kept.
    package var tornBytes = 0
    package var quarantinedFile: String?
    /// Frames that no sync was known to cover and that were written anew.
    package var rewrittenFrameCount = 0
    /// Files of ours that no manifest names and that were put away.
    package var orphanedFiles: [String] = []

    package init() {}
}

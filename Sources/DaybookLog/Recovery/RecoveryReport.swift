/// The findings and repairs of opening a log.
package struct RecoveryReport: Equatable, Sendable {
    /// The sequence of the last transaction.
    package var lastSequence: UInt64 = 0
    /// Whether the log ended at its clean close.
    package var wasClosedCleanly = false
    /// The number of frames read to find the end.
    package var scannedFrameCount = 0
    /// The length of a truncated torn tail, and the file that contains its copy.
    package var tornBytes = 0
    package var quarantinedFile: String?
    /// The number of frames without a known sync that were rewritten.
    package var rewrittenFrameCount = 0
    /// Files that no manifest names and that were removed or quarantined.
    package var orphanedFiles: [String] = []
    /// Damage of CURRENT, of the manifest and of headers of segments, which cost nothing. An
    /// opening for writing has written these files again.
    package var toleratedDamage: [ToleratedDamage] = []

    package init() {}
}

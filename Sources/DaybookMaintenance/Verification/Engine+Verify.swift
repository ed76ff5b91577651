package import DaybookBytes
package import DaybookEngine
import DaybookRecords
import DaybookLog

extension Engine {
    /// Reads every byte of the store in `path` and changes none. The store may be open elsewhere.
    ///
    /// The verification compares sealed segments with their lengths and hashes; checks the chain of
    /// frames and decompresses each frame; decodes every record and every field of every row;
    /// compares the replayed log with the live state and with each snapshot, the locations of the
    /// rows included; and reports a torn tail, files that the manifest does not name, and the
    /// quarantine. Damage and unreadable bytes are findings, not errors: the verification continues
    /// after them.
    ///
    /// Cost: three to four reads of the log, and memory for two states. Throws `.fileNotFound`,
    /// `.notAStore`, `.permissionDenied`, `.formatTooNew` and `.interrupted`.
    package static func verify(
        _ path: String, _ fileSystem: any FileSystem,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> VerificationReport {
        var verification = Verification(path: path, fileSystem: fileSystem, control: control)
        try verification.run()
        return verification.report
    }

    /// Verifies the files of this store as ``verify(_:_:_:)`` does, while commits continue. Throws
    /// `.closed` too.
    package func verify(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> VerificationReport {
        try requireOpen()
        return try Self.verify(log.directory, log.fileSystem, control)
    }
}

/// A running verification.
struct Verification {
    let path: String
    let fileSystem: any FileSystem
    let control: OperationControl
    var report = VerificationReport()

    mutating func run() throws(DaybookError) {
        guard let engine = try openStore() else { return }
        let log = engine.log
        report.sequence = log.lastSequence
        report.segmentCount = log.manifest.sealed.count + 1
        add(engine.openReport.recovery.toleratedDamage)
        try checkHashes(log.manifest, control.stage(0, 0.3))
        try walk(engine, control.stage(0.3, 0.6))
        if report.severity != .corruption {
            try noting("state") { verification throws(DaybookError) in
                try verification.compare(engine, verification.control.stage(0.6, 1))
            }
        }
        try noting("log") { verification throws(DaybookError) in
            try verification.lookAround(log)
        }
    }

    /// Runs a part of the verification. Unreadable bytes become a finding, and the next part runs.
    private mutating func noting(
        _ subject: String, _ look: (inout Verification) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        do throws(DaybookError) { try look(&self) } catch  where error.isDamage {
            // A store opens without a damaged snapshot, which has a finding of its own.
            let severity: VerificationReport.Severity =
                error.isDamagedSnapshot ? .repairable : .corruption
            report.add(severity, subject, error.message, error.details)
        }
    }

    /// Opens the store read-only. If damage prevents that, checks each file by itself and returns
    /// nil.
    private mutating func openStore() throws(DaybookError) -> Engine? {
        var options = EngineOptions()
        options.refreshIntervalMilliseconds = 0
        // Indexes are compared when they are complete, so no index is built in the background.
        options.isMaintenanceAutomatic = false
        do throws(DaybookError) {
            return try Engine.open(path, fileSystem, access: .read, options: options)
        } catch  where error.isDamage {
            try examine(unopenable: error)
            return nil
        }
    }

    /// Reports damage that cost nothing.
    private mutating func add(_ damage: [ToleratedDamage]) {
        for damage in damage {
            report.add(
                .repairable, damage.file,
                damage.message + " No other data depends on these bytes. The next opening for"
                    + " writing writes them again, unless the data after them is damaged, too.")
        }
    }

    /// Checks each sealed file of a log that does not open.
    private mutating func examine(unopenable error: DaybookError) throws(DaybookError) {
        let directory: LogDirectory
        do throws(DaybookError) {
            directory = try LogDirectory.openForReading(path, fileSystem)
        } catch  where error.isDamage {
            return report.add(.corruption, "manifest", error.message, error.details)
        }
        report.segmentCount = directory.manifest.sealed.count + 1
        add(directory.damage)
        try checkHashes(directory.manifest, control)
        let isNamed = report.findings.contains {
            $0.details["segment"] != nil && $0.details["segment"] == error.details["segment"]
        }
        if !isNamed { report.add(.corruption, "log", error.message, error.details) }
        try noting("quarantine") { verification throws(DaybookError) in
            try verification.listQuarantine(directory.manifest)
        }
    }
}

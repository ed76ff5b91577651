package import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Looks at every byte of the store in `path`, which may be open elsewhere, and changes none.
    ///
    /// Sealed segments are held against their lengths and hashes; every frame is checked along its
    /// chain and inflated; every record and every field of every row is decoded; the fold of the
    /// log is compared with the state that readers see and with each snapshot, the places of the
    /// rows included; a torn tail, files that no manifest names and the quarantine are named.
    /// Damage, and what cannot be read, is a finding, not an error: all of it is looked for.
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
}

/// One verification on its way.
struct Verification {
    let path: String
    let fileSystem: any FileSystem
    let control: OperationControl
    var report = VerificationReport()

    init(path: String, fileSystem: any FileSystem, control: OperationControl) {
        self.path = path
        self.fileSystem = fileSystem
        self.control = control
    }

    mutating func run() throws(DaybookError) {
        guard let engine = try openStore() else { return }
        let log = engine.log
        report.sequence = log.lastSequence
        report.segmentCount = log.manifest.sealed.count + 1
        try checkHashes(log.manifest, control.stage(0, 0.3))
        try walk(log, control.stage(0.3, 0.6))
        if report.severity != .corruption {
            try noting("state") { verification throws(DaybookError) in
                try verification.compare(engine, verification.control.stage(0.6, 1))
            }
        }
        try noting("log") { verification throws(DaybookError) in
            try verification.lookAround(log)
        }
    }

    /// Runs a part of the look: what it cannot read is a finding, and the rest is looked at still.
    private mutating func noting(
        _ subject: String, _ look: (inout Verification) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        do throws(DaybookError) { try look(&self) } catch  where error.isDamage {
            // The store opens without a damaged snapshot, and its own finding names it.
            let severity: VerificationReport.Severity =
                error.isDamagedSnapshot ? .repairable : .corruption
            report.add(severity, subject, error.message, error.details)
        }
    }

    /// Opens the store to read. Where damage prevents that, finds out how far it goes and answers
    /// nil.
    private mutating func openStore() throws(DaybookError) -> Engine? {
        var options = EngineOptions()
        options.refreshIntervalMilliseconds = 0
        // Indexes are compared when they are complete.
        options.isMaintenanceAutomatic = false
        do throws(DaybookError) {
            return try Engine.open(path, fileSystem, access: .read, options: options)
        } catch  where error.isDamage {
            try examine(unopenable: error)
            return nil
        }
    }

    /// The log does not open: each sealed file is still looked at by itself.
    private mutating func examine(unopenable error: DaybookError) throws(DaybookError) {
        let directory: LogDirectory
        do throws(DaybookError) {
            directory = try LogDirectory.openForReading(path, fileSystem)
        } catch  where error.isDamage {
            return report.add(.corruption, "manifest", error.message, error.details)
        }
        report.segmentCount = directory.manifest.sealed.count + 1
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

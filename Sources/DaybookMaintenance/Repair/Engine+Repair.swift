package import DaybookBytes
package import DaybookEngine
import DaybookLog
import DaybookRecords

extension Engine {
    /// Builds a new store from everything that is intact in a damaged one, and reports the losses.
    /// The damaged store does not change. No program may write to it meanwhile.
    ///
    /// All intact records keep their sequences, times and metadata. `keepsIncomplete` includes the
    /// intact records of transactions that lost others. If data is lost, a last transaction removes
    /// links to lost objects and outdated objects whose unique values belong to others. The new
    /// store has an identity of its own.
    ///
    /// Cost: two reads of the log and one of the new store, and memory for the trees. Throws
    /// `.fileNotFound`, `.notAStore`, `.fileExists` and `.invalidArgument` for the new directory,
    /// `.corruption` if nothing identifies the store, `.locked` if a writer changed it meanwhile,
    /// `.formatTooNew`, `.interrupted`, `.outOfSpace`; no file of the new store remains then.
    package static func repair(
        _ source: String, into path: String, _ fileSystem: any FileSystem,
        options: EngineOptions = EngineOptions(), keepsIncomplete: Bool = true,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> RepairReport {
        try Self.require(path, outside: source, fileSystem)
        let snapshots = RescuedSnapshots(source, fileSystem)
        let salvage = try LogSalvage(source, fileSystem, knownStores: snapshots.stores)
        let codec = PayloadCodec(transform: SchemaTransposition(SchemaTable(Schema())))
        let newest = snapshots.newest(of: salvage.store)
        let survey = try RepairSurvey(
            salvage, codec, claim: newest?.metadata.position.sequence ?? 0, control.stage(0, 0.3))
        let repair = StoreRepair(
            salvage: salvage, survey: survey, snapshot: newest, codec: codec, options: options,
            keepsIncomplete: keepsIncomplete, control: control)
        let made = try fileSystem.missingDirectories(of: path)
        do throws(DaybookError) {
            return try repair.build(path, fileSystem) { () throws(DaybookError) in
                try requireUnchanged(salvage, source, fileSystem)
            }
        } catch {
            // Directories with files of other programs are not empty, and stay.
            for directory in made { try? fileSystem.removeDirectory(directory) }
            throw error
        }
    }

    private static func require(
        _ path: String, outside source: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let inside = try fileSystem.resolve(source) + "/"
        guard try (fileSystem.resolve(path) + "/").hasPrefix(inside) else { return }
        throw DaybookError(
            .invalidArgument,
            "\(path) is inside the store to be repaired. Use a directory outside the store.",
            details: ["path": path])
    }

    /// Throws if a writer replaced segments during the repair.
    private static func requireUnchanged(
        _ salvage: LogSalvage, _ source: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        guard let manifest = salvage.manifest,
            let now = try? LogDirectory.openForReading(source, fileSystem).manifest,
            now.generation != manifest.generation
        else { return }
        throw DaybookError(
            .locked,
            "A program changed the store in \(source) during the repair. Close the store in all"
                + " programs, and repair it again.",
            details: ["path": source])
    }
}

import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookQuery

/// `daybook erase`.
struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases objects, or values of objects, from all files of a store.",
        discussion: """
            Removes the objects that a query finds, with all their versions in the history. With \
            --id, erases the objects with these ids instead, also objects that were removed \
            before. With --property, the objects stay, and only the values of these properties are \
            erased. The history of other objects does not change. A record of the erasure remains: \
            its time, author and number of objects.

            No other process may have the store open for writing; readers are allowed. An \
            interruption keeps the finished steps: --resume completes them.

            Examples:
              daybook erase Store 'Person where age > 60' --dry-run
              daybook erase Store Person --id 2 --author 'privacy desk'
              daybook erase Store Person --id 1 --property name
            """)

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "The query, such as 'Person where age > 90', or the entity of the ids.",
        completion: .entities())
    var text: String?

    @Option(
        help: ArgumentHelp(
            "The id of an object. Repeat it for several objects.", valueName: "number"))
    var id: [UInt64] = []

    @Option(help: "The name of a property to erase. Repeat it for several properties.")
    var property: [String] = []

    @Option(help: "The author of the commit of the erasure.")
    var author: String?

    @Option(help: "The cause of the erasure, such as the number of a request.")
    var cause: String?

    @Flag(
        name: .customLong("remove-quarantine"),
        help: "Remove the files in the quarantine, which may contain versions of the objects.")
    var removesQuarantine = false

    @Flag(
        name: .customLong("dry-run"),
        help: "Change nothing; print the numbers of objects and versions that would be erased.")
    var isDryRun = false

    @Flag(help: "Complete the erasures that were interrupted.")
    var resume = false

    @Flag(help: "Print the erasures that the store records.")
    var list = false

    func validate() throws {
        let modes = [resume, list, text != nil].count { $0 }
        guard modes == 1 else {
            throw ValidationError(
                "Give a query, '--resume' or '--list', as in 'daybook erase Store Person --id 7'.")
        }
        guard text != nil || id.isEmpty && property.isEmpty && !isDryRun && !removesQuarantine
        else {
            throw ValidationError(
                "'--id', '--property', '--dry-run' and '--remove-quarantine' need a query or an"
                    + " entity.")
        }
    }

    func run() throws {
        try common.perform("erase") { run in
            if list { return try printErasures(run) }
            if isDryRun {
                let engine = try common.openForReading()
                let report = try engine.planErasure(try request(engine), run.control)
                return try write(report, to: run)
            }
            var options = EngineOptions()
            options.isMaintenanceAutomatic = false
            let engine = try Engine.openExisting(
                common.directory, RealFileSystem(), options: options)
            do {
                let report =
                    resume
                    ? try engine.finishErasures(run.control)
                    : try engine.erase(
                        try request(engine), metadata: metadata,
                        removesQuarantine: removesQuarantine, run.control)
                try engine.close()
                try write(report, to: run)
            } catch {
                try? engine.close()
                throw error
            }
        }
    }

    private var metadata: [String: String] {
        var metadata: [String: String] = [:]
        metadata["author"] = author
        metadata["cause"] = cause
        return metadata
    }

    private func request(_ engine: Engine) throws -> ErasureRequest {
        let model = QueryModel(engine.schemas.schema)
        let query = try TextQuery.parse(text ?? "", in: model)
        let entity = try engine.schemas.entityName(query.entity)
        guard id.isEmpty else {
            guard entity == text?.trimmingSpaces else {
                throw DaybookError(
                    .invalidArgument,
                    "A condition and '--id' exclude each other. Give only the name of the entity.")
            }
            return ErasureRequest(entity, ids: id, properties: property)
        }
        let runner = try QueryRunner(query.definition, of: query.entity, in: model)
        let access = QueryAccess(try engine.view(until: nil), engine.schemas)
        return ErasureRequest(entity, ids: try runner.ids(access), properties: property)
    }

    private func write(_ report: ErasureReport, to run: CommandRun) throws(DaybookError) {
        try run.line { text throws(DaybookError) in
            text.beginObject()
            text.name("sequence")
            if let sequence = report.sequence { text.integer(sequence) } else { text.null() }
            text.member("dryRun", isTrue: isDryRun)
            text.name("objects")
            text.beginObject()
            for (name, count) in report.objectCounts.sorted(by: { $0.key < $1.key }) {
                text.member(name, count)
            }
            text.endObject()
            text.member("versions", report.versionCount)
            text.member("linkChanges", report.linkChangeCount)
            text.member("segments", report.segmentCount)
            text.member("bytesBefore", report.bytesBefore)
            text.name("bytesAfter")
            if let after = report.bytesAfter { text.integer(after) } else { text.null() }
            text.member("heldBytes", report.heldBytes)
            text.member("quarantineFiles", report.quarantineFileCount)
            text.endObject()
        }
        if isDryRun { try run.say("Nothing was changed.") }
        if isDryRun, report.quarantineFileCount > 0 {
            try run.say(
                "The quarantine has \(report.quarantineFileCount) files, which may contain versions"
                    + " of the objects. Inspect them, and use --remove-quarantine.")
        }
        if report.heldBytes > 0 {
            try run.say(
                "Readers still use \(report.heldBytes) bytes of replaced files. The files have no"
                    + " name any more, and their space is released when the readers end.")
        }
    }

    private func printErasures(_ run: CommandRun) throws(DaybookError) {
        let engine = try common.openForReading()
        for erasure in try engine.erasures() {
            try run.line { text in
                text.beginObject()
                text.member("sequence", erasure.sequence)
                text.name("time")
                text.moment(microseconds: erasure.timeMicroseconds)
                text.member("metadata", erasure.metadata)
                text.member("entity", erasure.entity)
                text.name("properties")
                text.beginArray()
                for name in erasure.properties { text.string(name) }
                text.endArray()
                text.member("objects", erasure.objectCount)
                text.member("finished", isTrue: erasure.isFinished)
                text.endObject()
            }
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

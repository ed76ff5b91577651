import ArgumentParser
import DaybookBytes
import DaybookEngine

/// The arguments of every command.
struct CommonOptions: ParsableArguments {
    @Argument(help: "The directory of the store.", completion: .directory)
    var directory: String

    @Flag(name: [.short, .long], help: "Print no progress and no messages except errors.")
    var quiet = false

    @Flag(
        name: .customLong("no-color"),
        help: "Use no colours. The environment variable NO_COLOR has the same effect.")
    var isColorless = false

    func validate() throws {
        guard !directory.isEmpty else {
            throw ValidationError("The path of the store is an empty string; name a directory.")
        }
    }

    /// Runs the work of a command with the output settings of these options. `workFile` is the file
    /// that the command reads; by default it reads the log.
    func perform(
        _ label: String, workFile: String? = nil, _ work: (CommandRun) throws -> Void
    ) throws {
        let files = { workFile.map { [$0] } ?? segmentPaths }
        let run = CommandRun(label: label, isQuiet: quiet, isColorless: isColorless) {
            Self.totalBytes(of: files())
        }
        try run.perform { try work(run) }
    }

    /// The files of the log; none if the directory cannot be read.
    private var segmentPaths: [String] {
        let names = (try? RealFileSystem().list(directory)) ?? []
        return names.filter { $0.hasPrefix("segment-") }.map { directory + "/" + $0 }
    }

    /// The size of the files; nil without any. A file that was removed meanwhile counts nothing.
    private static func totalBytes(of paths: [String]) -> Int? {
        let sizes = paths.compactMap { try? RealFileSystem().open($0, .read).size() }
        return sizes.isEmpty ? nil : sizes.reduce(0, +)
    }

    /// Opens the store read-only, also while another process writes to it. Changes no file.
    func openForReading() throws(DaybookError) -> Engine {
        var options = EngineOptions()
        // The command sees one state: the newest when it opens the store.
        options.refreshIntervalMilliseconds = 0
        return try Engine.open(directory, RealFileSystem(), access: .read, options: options)
    }
}

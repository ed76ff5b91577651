import ArgumentParser
import DaybookBytes
import DaybookEngine

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Argument(help: "The directory of the store.", completion: .directory)
    var directory: String

    @Flag(name: [.short, .long], help: "Show no progress and say nothing but errors.")
    var quiet = false

    @Flag(name: .customLong("no-color"), help: "Use no colours; neither with NO_COLOR set.")
    var isColorless = false

    func validate() throws {
        guard !directory.isEmpty else {
            throw ValidationError("Name the directory of a store; '' names none.")
        }
    }

    /// Does the work of a command in the environment that the options ask for.
    func perform(_ label: String, _ work: (CommandRun) throws -> Void) throws {
        let run = CommandRun(label: label, isQuiet: quiet, isColorless: isColorless)
        try run.perform { try work(run) }
    }

    /// Opens the store beside a writer or alone; nothing of it will be changed.
    func openForReading() throws(DaybookError) -> Engine {
        var options = EngineOptions()
        // What a command sees is the moment at which it began.
        options.refreshIntervalMilliseconds = 0
        return try Engine.open(directory, RealFileSystem(), access: .read, options: options)
    }
}

import DaybookBytes

/// A command that is a program of its own: `daybook hello` runs `daybook-hello`.
struct SeparateProgram {
    /// The first word of the command line.
    let command: String

    /// The name of the program.
    var name: String { "daybook-" + command }

    /// Nil for words that are no command: options, paths, and the empty string.
    init?(_ word: String) {
        guard !word.isEmpty, !word.hasPrefix("-"), !word.contains("/") else { return nil }
        command = word
    }

    /// The path of the program: in the folder of the running `daybook`, else in the first folder of
    /// `PATH` with an executable file of the name; nil if there is none.
    func find() -> String? {
        let beside = ProcessProgram.folder.map { [$0] } ?? []
        let folders = beside + Self.folders(of: ProcessEnvironment.value("PATH") ?? "")
        return folders.map { $0 + "/" + name }.first(where: ProcessProgram.isExecutable)
    }

    /// The folders in a value of `PATH`. Relative ones are ignored, so that no file in the current
    /// folder is run by accident.
    static func folders(of path: String) -> [String] {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
    }

    /// Runs the program at a path in place of this one, with the arguments after the command.
    ///
    /// Returns only if that is impossible: the error.
    func run(at path: String, arguments: some Collection<String>) -> DaybookError {
        let answer = ProcessProgram.replace(with: path, arguments: [name] + arguments)
        return .operatingSystem(errno: Int32(-answer), operation: "execute", path: path)
    }
}

extension SeparateProgram {
    /// The folder of the package that builds the program; nil if the project has no such program.
    private var package: String? {
        switch command {
        case "archive", "replicate": "Replication"
        case "browse": "Browser"
        default: nil
        }
    }

    /// The message for a program of the project that is not installed; nil for other words.
    var remedy: String? {
        package.map { package in
            "The program \(name) is not installed. Build it in the folder of Daybook with 'swift"
                + " build --package-path \(package) --product \(name)', and put it beside daybook"
                + " or in a folder of PATH."
        }
    }
}

// DaybookGeneration: generates the code of entities without an attached macro. It knows Swift files
// and how to find entities in them; DaybookModel defines entities and their generated code.
//
// Invariants:
// - The same files give the same text, byte for byte, in any order. An unchanged output file is not
//   rewritten.
// - If any error is found, nothing is written.
// - Without the package trait `Macros`, swift-syntax is not built and the generated text is empty.

import Foundation

/// One run of the generator.
package enum GenerateRun {
    /// Runs the generator. The arguments are the output file, the module's name, and the module's
    /// files. Calls `say` with each line of diagnostics. Returns the exit code: 0, 1 for errors in
    /// a file, or 2 for wrong usage.
    package static func run(_ arguments: [String], say: (String) -> Void) -> Int32 {
        guard arguments.count >= 2 else {
            say("usage: DaybookGenerate OUTPUT MODULE FILE…")
            return 2
        }
        let output = URL(filePath: arguments[0])
        do {
            guard let text = try text(arguments[1], arguments[2...].sorted(), say) else { return 1 }
            try write(text, to: output)
            return 0
        } catch {
            say("error: \(error.localizedDescription)")
            return 1
        }
    }

    /// Returns the generated text for a module; nil if an error was found.
    private static func text(
        _ module: String, _ paths: [String], _ say: (String) -> Void
    ) throws -> String? {
        #if Macros
        let files = try paths.map { path in
            let bytes = try Data(contentsOf: URL(filePath: path))
            return SourceText(path: path, text: String(decoding: bytes, as: UTF8.self))
        }
        let generation = Generation(module: module, files: files)
        generation.messages.forEach(say)
        return generation.text
        #else
        say("warning: DaybookGenerator generates no code without Daybook's package trait 'Macros'.")
        return "// Without the package trait 'Macros' no code is generated.\n"
        #endif
    }

    /// Writes the file only if its content changes, because a written file is compiled again.
    private static func write(_ text: String, to output: URL) throws {
        let bytes = Data(text.utf8)
        if let present = try? Data(contentsOf: output), present == bytes { return }
        try bytes.write(to: output, options: .atomic)
    }
}

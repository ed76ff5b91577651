// DaybookGeneration: writes the code of entities that no macro is attached to. It knows Swift files
// and where entities stand in them; what an entity is and which code it gets is DaybookModel's.
//
// Invariants:
// - The same files give the same text, byte for byte, in whatever order they are named; a file that
//   has that text already is left alone.
// - Nothing is written when anything is wrong.
// - Without the package trait `Macros` swift-syntax is not built, and the text is empty.

import Foundation

/// One run of the generator.
package enum GenerateRun {
    /// Does what the arguments say: the file to be written, the module's name, and the module's
    /// files. Returns the exit code: 0, 1 where something is wrong in a file, 2 for wrong usage.
    /// What is wrong goes to `say`, line by line.
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

    /// The text for a module of these files; nil where something is wrong.
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
        say("warning: DaybookGenerator writes nothing without Daybook's package trait 'Macros'.")
        return "// Without the package trait 'Macros' nothing is written here.\n"
        #endif
    }

    /// A file that is written is compiled again.
    private static func write(_ text: String, to output: URL) throws {
        let bytes = Data(text.utf8)
        if let present = try? Data(contentsOf: output), present == bytes { return }
        try bytes.write(to: output, options: .atomic)
    }
}

#if Macros
@testable import DaybookGeneration

/// The files of a module by name, and the output of the generator for them.
struct GeneratedModule {
    let text: String?
    let messages: [String]

    init(_ files: KeyValuePairs<String, String>) {
        let generation = Generation(
            module: "App",
            files: files.map { SourceText(path: "/app/\($0.key)", text: $0.value) })
        text = generation.text
        messages = generation.messages
    }

    init(_ text: String) {
        self.init(["Models.swift": text])
    }

    /// The lines of the text that begin an extension of a type, or of the store.
    var extensions: [String] { allExtensions.filter { !$0.contains(" where Root == ") } }

    /// The lines that begin an extension with members for conditions that begin with a dot.
    var dottedExtensions: [String] { allExtensions.filter { $0.contains(" where Root == ") } }

    private var allExtensions: [String] {
        (text ?? "").split(separator: "\n").filter { $0.contains("extension ") }.map(String.init)
    }

    var imports: [String] {
        (text ?? "").split(separator: "\n").filter { $0.contains("import ") }.map(String.init)
    }

    /// The types of the generated initializer of the store.
    var entities: [String] {
        (text ?? "").split(separator: "\n").filter { $0.hasSuffix(".self,") }
            .map { String($0.drop { $0 == " " }.dropLast(6)) }
    }
}
#endif

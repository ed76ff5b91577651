#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// A Swift file, parsed.
struct SourceText {
    let path: String
    let syntax: SourceFileSyntax
    private let converter: SourceLocationConverter

    init(path: String, text: String) {
        self.path = path
        syntax = Parser.parse(source: text)
        converter = SourceLocationConverter(fileName: path, tree: syntax)
    }

    /// The path without its folders.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// A diagnostic of this file in the form that Xcode and SwiftPM show at its place.
    func line(for diagnostic: Diagnostic) -> String {
        let place = diagnostic.location(converter: converter)
        let severity = diagnostic.diagMessage.severity
        return "\(path):\(place.line):\(place.column): \(severity): \(diagnostic.message)"
    }
}
#endif

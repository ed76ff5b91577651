#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// A parsed Swift file.
struct SourceText {
    let path: String
    let syntax: SourceFileSyntax
    private let converter: SourceLocationConverter

    init(path: String, text: String) {
        self.path = path
        syntax = Parser.parse(source: text)
        converter = SourceLocationConverter(fileName: path, tree: syntax)
    }

    /// The file name without the folders.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns a diagnostic of this file in the format that Xcode and SwiftPM show at its location.
    func line(for diagnostic: Diagnostic) -> String {
        let place = diagnostic.location(converter: converter)
        let severity = diagnostic.diagMessage.severity
        return "\(path):\(place.line):\(place.column): \(severity): \(diagnostic.message)"
    }
}
#endif

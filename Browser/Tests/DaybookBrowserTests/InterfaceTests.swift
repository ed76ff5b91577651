import Foundation
import Testing

@testable import DaybookBrowser

/// The types of the page's scripts, which are generated from the Swift types of the interface.
@Suite struct InterfaceTests {
    private static let sources = URL(filePath: #filePath)
        .appending(path: "../../../Sources/DaybookBrowser").standardized

    /// Writes the file if the variable `DAYBOOK_UPDATE` is set.
    @Test func `the page's types are those of the interface`() throws {
        let folder = Self.sources.appending(path: "Interface")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        var text = """
            // The types of the answers and requests, generated from the Swift types:
            // DAYBOOK_UPDATE=1 swift test --package-path Browser --filter InterfaceTests


            """
        var count = 0
        for file in files {
            let types = InterfaceType.types(
                in: try String(contentsOf: folder.appending(path: file), encoding: .utf8))
            count += types.count
            for type in types { text += type.definition + "\n" }
        }
        text += "export {};\n"
        #expect(count > 25)
        let page = Self.sources.appending(path: "Page/interface.js")
        if ProcessInfo.processInfo.environment["DAYBOOK_UPDATE"] != nil {
            try text.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == text)
    }

    @Test func `a type is translated with its comments`() throws {
        let source = """
            /// A thing: `GET /api/thing`.
            struct Thing: Codable, Sendable {
                /// The name.
                var name: String
                /// Its parts,
                /// if any.
                var parts: [Part]?
                var count: UInt64
            }
            """
        let type = try #require(InterfaceType.types(in: source).first)
        #expect(
            type.definition == """
                /**
                 * A thing: `GET /api/thing`.
                 * @typedef {object} Thing
                 * @property {string} name The name.
                 * @property {Part[]} [parts] Its parts, if any.
                 * @property {number} count
                 */

                """)
    }

    @Test func `every file of the page is served`() throws {
        let files = try FileManager.default
            .contentsOfDirectory(atPath: Self.sources.appending(path: "Page").path)
        #expect(Set(files.map { "/\($0)" }) == Set(PageFiles.contents.keys))
        for (path, bytes) in PageFiles.contents {
            let file = try Data(contentsOf: Self.sources.appending(path: "Page\(path)"))
            #expect(Array(file) == bytes, "\(path) was changed after the build")
            #expect(PageFiles.file(at: path)?.bytes == bytes)
        }
        #expect(PageFiles.file(at: "/")?.mediaType == "text/html; charset=utf-8")
        #expect(PageFiles.file(at: "/../Package.swift") == nil)
    }
}

/// A Swift struct of the interface, read from its source.
private struct InterfaceType {
    struct Member {
        var name: String
        var type: String
        var comment: String
    }

    var name: String
    var comment: String
    var members: [Member] = []

    static func types(in source: String) -> [InterfaceType] {
        var types: [InterfaceType] = []
        var comment: [String] = []
        for line in source.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("///") {
                comment.append(line.dropFirst(3).trimmingCharacters(in: .whitespaces))
                continue
            }
            let text = comment.joined(separator: " ")
            comment = []
            let words = line.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
            guard words.count > 2 else { continue }
            if words[0] == "struct" {
                types.append(InterfaceType(name: words[1], comment: text))
            } else if words[0] == "var", !types.isEmpty {
                types[types.count - 1].members.append(
                    Member(name: words[1], type: words[2], comment: text))
            }
        }
        return types
    }

    /// The JSDoc comment that defines the type.
    var definition: String {
        let properties = members.map { member in
            let isOptional = member.type.hasSuffix("?")
            let name = isOptional ? "[\(member.name)]" : member.name
            let text = member.comment.isEmpty ? "" : " \(member.comment)"
            return " * @property {\(Self.script(member.type))} \(name)\(text)"
        }
        return
            (["/**", " * \(comment)", " * @typedef {object} \(name)"] + properties + [" */", ""])
            .joined(separator: "\n")
    }

    /// The name of a Swift type in JSDoc.
    private static func script(_ type: String) -> String {
        var type = type
        if type.hasSuffix("?") { type.removeLast() }
        if type.hasPrefix("[") { return script(String(type.dropFirst().dropLast())) + "[]" }
        switch type {
        case "String": return "string"
        case "Bool": return "boolean"
        case "Int", "UInt64", "Int64", "Double": return "number"
        default: return type
        }
    }
}

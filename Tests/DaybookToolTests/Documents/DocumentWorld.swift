import Foundation
import Testing

/// The folder in which the command lines of a document run: it has the stores and the files that
/// the documents name.
final class DocumentWorld {
    let folder: ScratchFolder
    private var newDirectoryCount = 0

    init() throws {
        folder = try ScratchFolder()
        try folder.add("store.jsonl", Self.history)
        try folder.add("people.csv", "name,age\nDan,30\n")
        let script = """
            daybook load Store < store.jsonl
            daybook load Other < store.jsonl
            daybook load people < store.jsonl
            daybook backup Store Backup
            mkdir -p .local/bin .local/share/bash-completion/completions .zsh/completions
            mkdir -p .config/fish/completions .build/release
            ln -s "$(command -v daybook)" .build/release/daybook
            """
        let made = try ShellScript.run("sh", ["-ec", script], directory: folder.path)
        try #require(made.status == 0, "\(made.errors)")
    }

    /// Runs a line after it names the files of this folder instead of placeholders.
    func run(_ line: String) throws -> CommandProcess.Outcome {
        var line = try filled(line)
        // The guide states that it reads standard input.
        if line.hasPrefix("daybook load ") { line += " < store.jsonl" }
        return try ShellScript.run(
            "sh", ["-c", "HOME=\"$PWD\"; export HOME; \(line)"], directory: folder.path)
    }

    /// A placeholder for which this folder has nothing.
    struct UnknownPlaceholder: Error, CustomStringConvertible {
        var description: String
    }

    /// Returns a line with files and values instead of placeholders in capitals.
    func filled(_ line: String) throws -> String {
        let parts = line.split(separator: "'", omittingEmptySubsequences: false)
        let filled = try parts.enumerated().map { index, part in
            index % 2 == 1
                ? String(part)
                : try part.split(separator: " ", omittingEmptySubsequences: false)
                    .map { try value(of: String($0)) }.joined(separator: " ")
        }
        return filled.joined(separator: "'")
    }

    private func value(of word: String) throws -> String {
        switch word {
        case "DIRECTORY", "DIR": return "Store"
        case "NEWDIRECTORY", "NEWDIR", "DESTINATION":
            newDirectoryCount += 1
            return "New\(newDirectoryCount)"
        case "BACKUP": return "Backup"
        case "QUERY", "ENTITY": return "Person"
        case "FILE": return "people.csv"
        case "HISTORY": return "latest"
        case "NAME=HISTORY": return "Log=latest"
        case "COLUMN=PROPERTY": return "name=name"
        case "csv|jsonl": return "csv"
        case "SEQ", "SEQ|TIME": return "3"
        case "N": return "2"
        case "OUTPUT": return "--state"
        case "FILTER": return "--op put"
        case "COMMAND": return "query"
        default:
            let letters = word.filter(\.isLetter)
            guard letters.isEmpty || letters.contains(where: \.isLowercase) else {
                throw UnknownPlaceholder(description: word)
            }
            return word
        }
    }

    /// The text of the stores: persons, packages, and a log with an entry for each of a thousand
    /// commits on a day.
    private static var history: String {
        var text = HistoryText()
        text.addLayouts()
        text.commit(1, day: "2026-09-30", second: 0)
        text.put(2, 1, "Person", 1, #""name":"Ada","age":36,"email":null"#)
        text.put(2, 7, "Person", 1, #""name":"Ann","age":41,"email":"ann@example.org""#)
        text.put(2, 1, "Company", 2, #""name":"Acme""#)
        text.put(2, 1, "Section", 4, #""path":"main/libs""#)
        text.put(2, 1, "Maintainer", 5, #""email":"ada@example.org""#)
        text.put(2, 1, "Package", 3, #""name":"zstd","size":2000000"#)
        for relation in 1...3 {
            text.lines.append(#"{"sequence":2,"link":1,"from":1,"relation":\#(relation)}"#)
        }
        text.commit(2, day: "2026-09-30", second: 1)
        for sequence in 3...1_041 {
            text.put(sequence, sequence - 2, "Log", 6, #""text":"entry \#(sequence)""#)
            text.commit(sequence, day: "2026-11-20", second: sequence)
        }
        text.lines.append(#"{"sequence":1042,"remove":1,"of":"Log","previous":3}"#)
        text.commit(1_042, day: "2026-11-20", second: 40_000)
        let first = #"{"history":1,"sequence":1042,"historyFloor":0}"#
        let last = #"{"end":1042,"transactions":1042,"records":\#(text.lines.count)}"#
        return ([first] + text.lines + [last, ""]).joined(separator: "\n")
    }
}

/// The lines of a dump with history, which `daybook load` reads.
private struct HistoryText {
    var lines: [String] = []
    private var indexCount = 0

    mutating func addLayouts() {
        layout(
            1, "Person",
            [
                field(1, "name", "string"), field(2, "age", "int32"),
                field(3, "email", "string", isOptional: true),
                relation(4, "employer", ("Company", 2), as: 1),
            ], isUnique: true)
        layout(2, "Company", [field(1, "name", "string")], isUnique: false)
        layout(
            3, "Package",
            [
                field(1, "name", "string"), field(2, "size", "int64"),
                relation(3, "section", ("Section", 4), as: 2),
                relation(4, "maintainer", ("Maintainer", 5), as: 3),
            ], isUnique: true)
        layout(4, "Section", [field(1, "path", "string")], isUnique: false)
        layout(5, "Maintainer", [field(1, "email", "string")], isUnique: true)
        layout(6, "Log", [field(1, "text", "string")], isUnique: false)
    }

    /// Adds an entity. If it is unique, its first property is the primary key.
    private mutating func layout(
        _ number: Int, _ name: String, _ fields: [String], isUnique: Bool
    ) {
        indexCount += isUnique ? 1 : 0
        let index =
            #"{"index":\#(indexCount),"kind":"value","unique":true,"primaryKey":true,"#
            + #""properties":[1]}"#
        lines.append(
            #"{"sequence":1,"layout":\#(number),"entity":\#(number),"version":1,"#
                + #""kind":"object","name":"\#(name)","#
                + #""fields":[\#(fields.joined(separator: ","))],"#
                + #""indexes":[\#(isUnique ? index : "")]}"#)
    }

    private func field(
        _ number: Int, _ name: String, _ type: String, isOptional: Bool = false
    ) -> String {
        let shape = #""type":"\#(type)"\#(isOptional ? #","optional":true"# : "")"#
        return #"{"property":\#(number),"name":"\#(name)","shape":{\#(shape)}}"#
    }

    private func relation(
        _ number: Int, _ name: String, _ target: (String, Int), as id: Int
    ) -> String {
        #"{"property":\#(number),"name":"\#(name)","shape":{"type":"toOne","optional":true,"#
            + #""of":"\#(target.0)"},"relation":\#(id),"target":\#(target.1)}"#
    }

    mutating func put(_ sequence: Int, _ id: Int, _ entity: String, _ layout: Int, _ row: String) {
        lines.append(
            #"{"sequence":\#(sequence),"put":\#(id),"of":"\#(entity)","previous":0,"#
                + #""layout":\#(layout),"row":{\#(row)}}"#)
    }

    mutating func commit(_ sequence: Int, day: String, second: Int) {
        let date = (try? Date(day + "T00:00:00Z", strategy: .iso8601)) ?? .distantPast
        let time = (Int(date.timeIntervalSince1970) + second) * 1_000_000
        lines.append(#"{"sequence":\#(sequence),"commit":\#(time)}"#)
    }
}

import ArgumentParser
import DaybookBytes
import DaybookEngine
import Dispatch
import Synchronization

extension CompletionKind {
    /// The names of the entities of the store on the command line, each with every ending.
    static func entities(followedBy endings: [String] = [""]) -> CompletionKind {
        .custom { words, _, _ in
            guard let directory = EntityCompletion.store(in: words) else { return [] }
            // Bash expands the words of a completion: a name such as `$(reboot)` would be run.
            let names = EntityCompletion.names(in: directory).filter(\.isPlainWord)
            return names.flatMap { name in
                endings.map { name + $0 }
            }
        }
    }
}

extension String {
    /// Whether the text has only letters, digits and underscores, which no shell interprets.
    var isPlainWord: Bool {
        unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
        }
    }
}

/// Finds the names of entities for a shell that completes a word.
enum EntityCompletion {
    /// The maximum time that a user waits for the names of a store with a long log.
    static let waitMillisecondsMax = 2_000

    /// Returns the first directory in a command line that contains a store. The words are as typed.
    static func store(in words: [String]) -> String? {
        words.lazy.map(ShellWord.text(of:)).first { word in
            !word.isEmpty && (try? RealFileSystem().kind(of: word + "/CURRENT")) == .file
        }
    }

    /// Returns the sorted names; none if the store cannot be read in time. Opens the store
    /// read-only: takes no lock and changes no file, also while a program writes to it.
    static func names(
        in directory: String, waitMilliseconds: Int = waitMillisecondsMax
    ) -> [String] {
        let names = FoundNames()
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            var options = EngineOptions()
            options.refreshIntervalMilliseconds = 0
            options.isMaintenanceAutomatic = false
            let engine = try? Engine.open(
                directory, RealFileSystem(), access: .read, options: options)
            names.value.withLock { $0 = engine?.schemas.schema.entities.map(\.name) ?? [] }
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .milliseconds(waitMilliseconds))
        return names.value.withLock { $0.sorted() }
    }

    /// The names, which the opening may find after the wait has ended.
    private final class FoundNames: Sendable {
        let value = Mutex<[String]>([])
    }
}

/// A word of a command line as a user typed it, with quotes and escapes.
enum ShellWord {
    /// Returns the text that the shell would pass to a program. Expands `~` for the home directory,
    /// but no variables and patterns.
    static func text(of word: String) -> String {
        var text = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        guard word == "~" || word.hasPrefix("~/"), let home = ProcessEnvironment.value("HOME")
        else { return text }
        return home + text.dropFirst()
    }
}

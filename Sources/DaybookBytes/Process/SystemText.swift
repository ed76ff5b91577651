/// Texts that the kernel provides as files.
enum SystemText {
    /// The first 64 KiB of a file; nil if it cannot be read.
    static func read(_ path: String) -> String? {
        guard let file = try? RealFileSystem().open(path, .read) else { return nil }
        defer { file.close() }
        return (try? file.read(64 << 10, at: 0)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The number in the line that begins with `name`.
    static func field(_ name: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count > 1, words[0] == name { return Int(words[1]) }
        }
        return nil
    }
}

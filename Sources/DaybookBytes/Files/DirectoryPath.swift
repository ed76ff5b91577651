/// Paths as plain strings: `directory + "/" + name`.
enum DirectoryPath {
    /// The directory that contains `path`: `"."` for a lone name, `"/"` for the root itself.
    static func parent(of path: String) -> String {
        let trimmed = withoutTrailingSlashes(path)
        guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        let parent = withoutTrailingSlashes(String(trimmed[..<slash]))
        return parent.isEmpty ? "/" : parent
    }

    /// The component after the last slash.
    static func name(of path: String) -> String {
        let trimmed = withoutTrailingSlashes(path)
        guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return trimmed }
        return String(trimmed[trimmed.utf8.index(after: slash)...])
    }

    /// The path without needless slashes and dots. It does not resolve links.
    static func simplified(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == "..", let last = names.last, last != ".." {
                names.removeLast()
            } else {
                names.append(name)
            }
        }
        let text = names.joined(separator: "/")
        if path.utf8.first == UInt8(ascii: "/") { return "/" + text }
        return text.isEmpty ? "." : text
    }

    /// Rejects a path with a zero byte, which the operating system would truncate.
    static func check(_ path: String) throws(DaybookError) {
        if path.utf8.contains(0) {
            throw DaybookError(
                .invalidArgument, "A path cannot contain a zero byte. Choose another name.",
                details: ["path": path])
        }
    }

    private static func withoutTrailingSlashes(_ path: String) -> String {
        var path = Substring(path)
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return String(path)
    }
}

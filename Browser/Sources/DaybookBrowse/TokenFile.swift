import SystemPackage

/// A file with the token, which only the user of the command can read.
struct TokenFile {
    let path: String

    /// Writes the token. Throws the error of the system if the file exists already, because other
    /// users might be able to read it.
    func write(_ token: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate],
            permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll(token.utf8) }
    }
}

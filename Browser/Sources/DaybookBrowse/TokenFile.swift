import Foundation

/// A file with the token, which only the user of the command can read.
struct TokenFile {
    let path: String

    /// Writes the token. Throws the error of the system if the file exists already, because other
    /// users might be able to read it.
    func write(_ token: String) throws {
        let descriptor = path.withCString { name in
            unsafe Foundation.open(name, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        }
        guard descriptor >= 0 else {
            throw CocoaError(
                .fileWriteFileExists, userInfo: [NSFilePathErrorKey: path])
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(token.utf8))
        try handle.close()
    }
}

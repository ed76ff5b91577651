internal import Daybook
internal import Foundation

/// A file that is read from its begin to its end. It is closed with its last reference.
final class UploadFile {
    /// The length when the file was opened.
    let sizeBytes: Int

    private let path: String
    private let handle: FileHandle

    /// Opens a file. Throws `.fileNotFound`, `.permissionDenied` or `.inputOutput`.
    init(_ path: String) throws(DaybookError) {
        self.path = path
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // A directory can be opened, but not read.
            _ = try handle.read(upToCount: 1)
            sizeBytes = Int(clamping: try handle.seekToEnd())
            try handle.seek(toOffset: 0)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Goes back to the begin. Throws `.inputOutput`.
    func rewind() throws(DaybookError) {
        do {
            try handle.seek(toOffset: 0)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Returns the next bytes. Throws `.inputOutput` if the file has fewer. Blocks the thread
    /// during the read.
    func read(_ count: Int) throws(DaybookError) -> Data {
        var data = Data()
        while data.count < count {
            let next = try readSome(count - data.count)
            guard !next.isEmpty else { throw changed }
            data.append(next)
        }
        return data
    }

    /// Throws `.inputOutput` if the file has more bytes.
    func checkEnd() throws(DaybookError) {
        guard try readSome(1).isEmpty else { throw changed }
    }

    private func readSome(_ count: Int) throws(DaybookError) -> Data {
        do {
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw Self.failure(path, error)
        }
    }

    private var changed: DaybookError {
        DaybookError(
            .inputOutput,
            "The file \(path) changed its length during the upload. Upload a file that no program"
                + " writes.", details: ["path": path])
    }

    private static func failure(_ path: String, _ error: any Error) -> DaybookError {
        let details = ["path": path]
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile:
            return DaybookError(
                .fileNotFound, "The file \(path) does not exist. Check its path.", cause: error,
                details: details)
        case .fileReadNoPermission:
            return DaybookError(
                .permissionDenied, "The file \(path) cannot be read. Change its permissions.",
                cause: error, details: details)
        default:
            return DaybookError(
                .inputOutput, "The file \(path) cannot be read. Check that it is a regular file.",
                cause: error, details: details)
        }
    }
}

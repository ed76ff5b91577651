internal import Daybook
internal import Foundation

extension S3Bucket {
    /// Creates an object. Returns false, and changes nothing, if the key has an object already, or
    /// if this call created it and the answer was lost.
    ///
    /// Throws also `.outOfSpace`, and `.invalidValue` for more bytes than
    /// ``S3Options/answerSizeBytesMax``, which could not be read at once. One request.
    public func create(_ key: String, _ bytes: [UInt8]) async throws -> Bool {
        let whole = try wholeKey(key)
        let sizeBytesMax = sender.options.answerSizeBytesMax
        guard bytes.count <= sizeBytesMax else {
            throw DaybookError.objectTooLong(whole, location, sizeBytesMax)
        }
        return try await put(whole, bytes)
    }

    /// Creates an object with the content of a file. Returns as ``create(_:_:)``.
    ///
    /// A file that is longer than ``S3Options/partSizeBytes`` is sent in parts. A call that does
    /// not create the object removes its parts again, and waits up to ten seconds for that; a
    /// cancelled one waits up to two seconds. Throws also `.outOfSpace`, `.fileNotFound`,
    /// `.permissionDenied` for the file, `.invalidValue` for one of more than 10,000 GiB, and
    /// `.inputOutput` if the file cannot be read or changes its length. One request for a short
    /// file, otherwise one for each part and two more.
    public func create(_ key: String, fromFile path: String) async throws -> Bool {
        let whole = try wholeKey(key)
        let file = try UploadFile(path)
        if file.sizeBytes <= sender.options.partSizeBytes {
            let bytes = try file.read(file.sizeBytes)
            try file.checkEnd()
            return try await put(whole, bytes)
        }
        guard file.sizeBytes <= Upload.sizeBytesMax else {
            throw DaybookError.fileTooLong(path, Upload.sizeBytesMax)
        }
        var delay = RetryDelay(sender.options)
        for round in 1...sender.options.attemptCountMax {
            if round > 1 { try await Task.sleep(for: delay.take(serverWait: nil)) }
            switch try await Upload(key: whole, sender: sender, file: file).run() {
            case .created: return true
            case .refused: return false
            case .lost:
                // An earlier attempt may have completed the upload without an answer.
                if try await exists(key) { return false }
            }
        }
        throw DaybookError.uploadLost(whole, location)
    }

    /// Creates an object with one request.
    private func put(_ key: String, _ bytes: some DataProtocol) async throws -> Bool {
        var request = S3Request(.put, "create", key: key)
        request.headers = [
            HeaderField("content-type", "application/octet-stream"),
            HeaderField("if-none-match", "*"),
        ]
        request.setBody(bytes)
        let answer = try await sender.send(request)
        guard let failure = answer.failure else { return true }
        if failure.isRefusedCondition { return false }
        throw DaybookError.storage(failure, request, location)
    }
}

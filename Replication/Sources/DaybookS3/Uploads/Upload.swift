internal import Daybook
internal import Foundation

/// An upload of a file in parts.
struct Upload {
    /// How an upload ended.
    enum Outcome {
        /// The object has the content of the file.
        case created
        /// The key has an object already.
        case refused
        /// The service does not know the upload any more, refuses it because of another write, or
        /// its answer is not understood. Another upload may succeed.
        case lost
    }

    /// The service does not know the upload of a part any more.
    private struct Lost: Error {}

    /// The limit of a file.
    static let sizeBytesMax = partCountMax * S3Options.partSizeBytesMax

    /// The limit of parts in the protocol.
    private static let partCountMax = 10_000

    /// The whole key.
    let key: String
    /// Sends the requests.
    let sender: RequestSender
    /// The file, longer than nothing.
    let file: UploadFile

    /// Sends the file and completes the upload. Removes the parts unless the object was created.
    /// Throws the errors of the requests and of the file.
    func run() async throws -> Outcome {
        try file.rewind()
        let id = try await begin()
        do {
            let parts = try await sendParts(id)
            let outcome = try await complete(id, parts)
            if outcome != .created { await abort(id) }
            return outcome
        } catch is Lost {
            await abort(id)
            return .lost
        } catch {
            await abort(id)
            throw error
        }
    }

    /// The length of the parts except for the last one.
    private var partSizeBytes: Int {
        let least = (file.sizeBytes + Self.partCountMax - 1) / Self.partCountMax
        return max(sender.options.partSizeBytes, least)
    }

    /// Begins the upload and returns its id.
    private func begin() async throws -> String {
        var request = S3Request(.post, "begin the upload of", key: key)
        request.query = [QueryItem("uploads")]
        request.headers = [HeaderField("content-type", "application/octet-stream")]
        request.setBody(Data())
        let answer = try await sender.sendChecked(request)
        do {
            let document = try XMLNode.parse(answer.body)
            guard let id = document.text(of: "UploadId"), !id.isEmpty else {
                throw XMLNode.Malformed(description: "the answer has no id of the upload")
            }
            return id
        } catch {
            throw DaybookError.malformedAnswer(error, request, sender.location)
        }
    }

    /// Sends all parts, some at the same time, and returns them in their order.
    private func sendParts(_ id: String) async throws -> [UploadedPart] {
        let parts = try await withThrowingTaskGroup(of: UploadedPart.self) { group in
            var parts: [UploadedPart] = []
            var sentBytes = 0
            var number = 0
            while sentBytes < file.sizeBytes {
                if number - parts.count >= sender.options.partsInFlightMax,
                    let part = try await group.next()
                {
                    parts.append(part)
                }
                try Task.checkCancellation()
                number += 1
                let request = try partRequest(
                    id, number, min(partSizeBytes, file.sizeBytes - sentBytes))
                sentBytes += request.body?.readableBytes ?? 0
                group.addTask { [sender, number] in
                    try await Self.send(request, number, sender)
                }
            }
            try file.checkEnd()
            for try await part in group { parts.append(part) }
            return parts
        }
        return parts.sorted { $0.number < $1.number }
    }

    /// Returns the request with the next bytes of the file.
    private func partRequest(
        _ id: String, _ number: Int, _ sizeBytes: Int
    ) throws(DaybookError) -> S3Request {
        var request = S3Request(.put, "store part \(number) of", key: key)
        request.query = [QueryItem("partNumber", String(number)), QueryItem("uploadId", id)]
        request.setBody(try file.read(sizeBytes))
        return request
    }

    /// Sends a part. Throws `Lost` if the service does not know the upload.
    private static func send(
        _ request: S3Request, _ number: Int, _ sender: RequestSender
    ) async throws -> UploadedPart {
        let answer = try await sender.send(request)
        if let failure = answer.failure {
            if failure.isLostUpload { throw Lost() }
            throw DaybookError.storage(failure, request, sender.location)
        }
        guard let tag = answer.headers.first(name: "etag"), !tag.isEmpty else {
            throw DaybookError.malformedAnswer(
                XMLNode.Malformed(description: "the part has no tag"), request, sender.location)
        }
        return UploadedPart(number: number, tag: tag)
    }

    /// Makes the object of the parts, unless the key has one.
    private func complete(_ id: String, _ parts: [UploadedPart]) async throws -> Outcome {
        var request = S3Request(.post, "complete the upload of", key: key)
        request.query = [QueryItem("uploadId", id)]
        request.headers = [
            HeaderField("content-type", "application/xml"), HeaderField("if-none-match", "*"),
        ]
        request.mayFailLate = true
        // Amazon S3 wants a new upload after a conflict.
        request.endsWithConflict = true
        request.setBody(UploadedPart.document(parts))
        let answer = try await sender.send(request)
        if let failure = answer.failure {
            if failure.isRefusedCondition { return .refused }
            if failure.isLostUpload || failure.isConflict { return .lost }
            throw DaybookError.storage(failure, request, sender.location)
        }
        // The name of the root differs between services.
        let document = try? XMLNode.parse(answer.body)
        return document?.text(of: "ETag") == nil ? .lost : .created
    }
}

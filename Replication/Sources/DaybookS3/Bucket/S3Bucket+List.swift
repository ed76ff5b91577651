internal import Daybook
public import DaybookArchive

extension S3Bucket {
    /// The limits of a page: the count of objects is that of the protocol, and each object needs
    /// some times the length of its key.
    private static let pageCountMax = 1000
    private static let pageSizeBytesMax = 16 << 20
    /// The limit of pages without objects in a row.
    private static let emptyPageCountMax = 100

    /// Lists objects whose keys begin with a prefix and follow a key, in the ascending order of
    /// their bytes: `countMax` of them, or fewer at the end.
    ///
    /// Keys that end with a slash, which some programs use as marks of folders, are left out.
    /// Throws `.storageUnavailable` also if the service does not keep the order. One request for
    /// each 1000 objects.
    public func list(
        prefix: String, after key: String?, countMax: Int
    ) async throws -> [ObjectEntry] {
        var entries: [ObjectEntry] = []
        var lastKey = key.map { location.keyBegin + $0 }
        var token: String?
        var emptyPageCount = 0
        while entries.count < countMax {
            let count = min(Self.pageCountMax, countMax - entries.count)
            let request = listRequest(prefix, after: lastKey, token, count)
            let answer = try await sender.sendChecked(request)
            do {
                let page = try ListDocument(answer.body)
                for object in page.objects {
                    try Self.check(object.key, of: request, after: lastKey)
                    lastKey = object.key
                    let relative = String(
                        decoding: object.key.utf8.dropFirst(location.keyBegin.utf8.count),
                        as: UTF8.self)
                    if relative.isEmpty || relative.utf8.last == 0x2F { continue }
                    entries.append(ObjectEntry(key: relative, sizeBytes: object.sizeBytes))
                }
                guard page.isTruncated else { break }
                emptyPageCount = page.objects.isEmpty ? emptyPageCount + 1 : 0
                token = page.continuationToken
                if emptyPageCount > Self.emptyPageCountMax || page.objects.isEmpty && token == nil {
                    throw XMLNode.Malformed(description: "the list has pages without objects")
                }
            } catch let problem as XMLNode.Malformed {
                throw DaybookError.malformedAnswer(problem, request, location)
            }
        }
        return Array(entries.prefix(max(0, countMax)))
    }

    /// Returns the request of a page. A token takes the place of the last key.
    private func listRequest(
        _ prefix: String, after lastKey: String?, _ token: String?, _ count: Int
    ) -> S3Request {
        var request = S3Request(.get, "list", key: nil)
        request.answerSizeBytesMax = Self.pageSizeBytesMax
        request.query = [
            QueryItem("list-type", "2"), QueryItem("encoding-type", "url"),
            QueryItem("max-keys", String(count)),
            QueryItem("prefix", location.keyBegin + prefix),
        ]
        if let token {
            request.query.append(QueryItem("continuation-token", token))
        } else if let lastKey {
            request.query.append(QueryItem("start-after", lastKey))
        }
        return request
    }

    /// Throws `XMLNode.Malformed` for a key that does not belong to the list at this place.
    private static func check(
        _ key: String, of request: S3Request, after lastKey: String?
    ) throws(XMLNode.Malformed) {
        let prefix = request.query.first { $0.name == "prefix" }?.value ?? ""
        guard key.utf8.starts(with: prefix.utf8) else {
            throw XMLNode.Malformed(description: "the list has a key with another prefix")
        }
        if let lastKey, !lastKey.utf8.lexicographicallyPrecedes(key.utf8) {
            throw XMLNode.Malformed(
                description: "the list is not in the ascending order of the bytes of keys")
        }
    }
}

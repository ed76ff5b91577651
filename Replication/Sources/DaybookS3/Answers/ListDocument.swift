/// One page of a list.
struct ListDocument {
    /// An object with its whole key.
    struct Object: Hashable {
        /// The whole key.
        var key: String
        /// The length.
        var sizeBytes: Int
    }

    /// The objects in the order of the service.
    let objects: [Object]
    /// Whether more objects follow.
    let isTruncated: Bool
    /// The token of the next page, if the service has one.
    let continuationToken: String?

    /// Reads a document. Throws `XMLNode.Malformed` for another document, and for a key or a length
    /// that is missing or not valid.
    init(_ bytes: [UInt8]) throws(XMLNode.Malformed) {
        let root = try XMLNode.parse(bytes)
        guard root.name == "ListBucketResult" else {
            throw XMLNode.Malformed(description: "the answer is not a list of objects")
        }
        let isEncoded = root.text(of: "EncodingType")?.lowercased() == "url"
        var objects: [Object] = []
        for node in root.children where node.name == "Contents" {
            guard let text = node.text(of: "Key"),
                let key = isEncoded ? URIEncoding.decodeForm(text) : text,
                let size = node.text(of: "Size").flatMap({ Int($0) }), size >= 0
            else {
                throw XMLNode.Malformed(description: "an object of the list has no key or length")
            }
            objects.append(Object(key: key, sizeBytes: size))
        }
        self.objects = objects
        switch root.text(of: "IsTruncated") {
        case "true": isTruncated = true
        case "false": isTruncated = false
        default:
            throw XMLNode.Malformed(description: "the list does not say whether it is complete")
        }
        let token = root.text(of: "NextContinuationToken") ?? ""
        continuationToken = token.isEmpty ? nil : token
    }
}

/// A header of a request.
struct HeaderField: Sendable, Hashable {
    /// The name in lowercase.
    var name: String
    /// The value without spaces at its ends.
    var value: String

    /// Creates a header.
    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A parameter of a request.
struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    var name: String
    /// The value, not encoded; empty for a parameter without one.
    var value: String

    /// Creates a parameter.
    init(_ name: String, _ value: String = "") {
        self.name = name
        self.value = value
    }

    /// Returns the encoded and sorted form of parameters, for the URL and for the signature.
    static func text(_ items: [QueryItem]) -> String {
        items.map { (URIEncoding.encode($0.name), URIEncoding.encode($0.value)) }
            .sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }
}

/// An element of a small XML document.
struct XMLNode: Sendable {
    /// A document that is not understood.
    struct Malformed: Error, CustomStringConvertible {
        /// The problem, for people.
        let description: String
    }

    /// The name.
    let name: String
    /// The text between the tags, without that of the children.
    var text = ""
    /// The elements inside, in their order.
    var children: [XMLNode] = []

    /// Creates an element without content.
    init(_ name: String) { self.name = name }

    /// Returns the root of a document. Throws and costs as ``XMLReader/root(of:)``.
    static func parse(_ bytes: [UInt8]) throws(Malformed) -> XMLNode {
        try XMLReader.root(of: bytes)
    }

    /// Returns the text of the first child of a name; nil if there is none.
    func text(of name: String) -> String? { children.first { $0.name == name }?.text }
}

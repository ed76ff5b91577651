import DaybookBytes

/// The bytes with which keys of an index begin: what is looked for in it.
package struct IndexProbe: Sendable, Hashable {
    /// The beginning of keys.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// The next property has no value.
    package mutating func appendNull() { fatalError("to be written") }

    /// The next property has a value, given as rows hold it.
    package mutating func append(_ value: Span<UInt8>, _ type: FieldType) {
        fatalError("to be written")
    }

    /// The next property is a text, or bytes, that begins so. The last of a probe.
    package mutating func append(prefix: Span<UInt8>) { fatalError("to be written") }

    /// The first bytes behind all keys that begin with `bytes`; nil where there is no key behind.
    package static func end(of bytes: [UInt8]) -> [UInt8]? { fatalError("to be written") }
}

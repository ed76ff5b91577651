/// A place for named, immutable objects: a bucket of an S3-compatible service, or a directory.
///
/// An archive needs one guarantee: of several calls of ``create(_:_:)`` with the same key, only one
/// returns true, and later reads return its bytes.
public protocol ObjectStorage: Sendable {
    /// The location for messages, such as `s3://backups/notes`. Contains no secrets.
    var name: String { get }

    /// Reads an object or a part of it; nil if there is no such object. A range beyond the end
    /// returns the bytes that exist, which may be none.
    ///
    /// Throws `.storageUnavailable` after several attempts, and `.permissionDenied`.
    func read(_ key: String, _ range: Range<Int>?) async throws -> [UInt8]?

    /// Creates an object. Returns false, and changes nothing, if the key has an object already.
    ///
    /// After a lost answer the storage tries again, so false may also mean that this call created
    /// the object: read it to find out. Throws as ``read(_:_:)``, and `.outOfSpace`.
    func create(_ key: String, _ bytes: [UInt8]) async throws -> Bool

    /// Creates an object with the content of a file, of any length, in bounded memory. Returns
    /// false, and changes nothing, if the key has an object already. Throws as ``create(_:_:)``.
    func create(_ key: String, fromFile path: String) async throws -> Bool

    /// Lists objects whose keys begin with a prefix and follow a key, in the ascending order of
    /// their bytes: `countMax` of them, or fewer at the end. Throws as ``read(_:_:)``.
    func list(prefix: String, after key: String?, countMax: Int) async throws -> [ObjectEntry]

    /// Removes an object. Does nothing if there is none. Throws as ``read(_:_:)``.
    func remove(_ key: String) async throws
}

/// One object of a list.
public struct ObjectEntry: Sendable, Hashable {
    /// The key, relative to the location of the storage.
    public var key: String
    /// The length.
    public var sizeBytes: Int

    /// Creates an entry.
    public init(key: String, sizeBytes: Int) {
        self.key = key
        self.sizeBytes = sizeBytes
    }
}

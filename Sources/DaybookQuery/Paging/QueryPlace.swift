/// A place in the order of a query: the sort key and the id of an object, which may be removed.
package struct QueryPlace: Sendable, Hashable {
    /// The key as ``OrderKeys`` encodes it; empty for the order of ids.
    package let key: [UInt8]
    package let id: UInt64

    package init(key: [UInt8], id: UInt64) {
        self.key = key
        self.id = id
    }

    /// Whether an object comes after the place.
    func isBefore(_ key: [UInt8], _ id: UInt64) -> Bool {
        key == self.key ? id > self.id : key.isBehind(self.key)
    }
}

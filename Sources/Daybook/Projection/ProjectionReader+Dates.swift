#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ProjectionReader {
    /// Reads a date, stored with a precision of milliseconds or nanoseconds.
    public func read(_ path: KeyPath<Root, Date>, named name: String) throws -> Date {
        if let index = properties.index(of: name, storedAs: .date) { return try row.read(index) }
        guard let index = properties.index(of: name, storedAs: .dateNano) else {
            return try readWhole(path)
        }
        return try row.readNanoseconds(index)
    }

    /// Reads an optional date, stored with a precision of milliseconds or nanoseconds.
    public func read(_ path: KeyPath<Root, Date?>, named name: String) throws -> Date? {
        if let index = properties.index(of: name, storedAs: .date) { return try row.read(index) }
        guard let index = properties.index(of: name, storedAs: .dateNano) else {
            return try readWhole(path)
        }
        return try row.readNanoseconds(index)
    }
}

package import DaybookBytes
import DaybookLog

extension Engine {
    /// Opens a store that must be there, for writing: a mistyped path makes no new one.
    ///
    /// Throws what ``open(_:_:access:options:)`` throws, and `.fileNotFound` or `.notAStore`.
    package static func openExisting(
        _ path: String, _ fileSystem: any FileSystem, options: EngineOptions = EngineOptions()
    ) throws(DaybookError) -> Engine {
        _ = try LogDirectory.openForReading(path, fileSystem)
        return try open(path, fileSystem, access: .write, options: options)
    }
}

package import DaybookBytes
import DaybookLog

extension Engine {
    /// Opens an existing store for writing. Creates no store, so a mistyped path fails.
    ///
    /// Throws the errors of ``open(_:_:access:options:)``, and `.fileNotFound` or `.notAStore`.
    package static func openExisting(
        _ path: String, _ fileSystem: any FileSystem, options: EngineOptions = EngineOptions()
    ) throws(DaybookError) -> Engine {
        _ = try LogDirectory.openForReading(path, fileSystem)
        return try open(path, fileSystem, access: .write, options: options)
    }
}

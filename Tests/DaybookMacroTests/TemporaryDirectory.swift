#if Macros
import Foundation

/// A directory that is removed with its last owner.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("daybook-macro-tests-\(UUID().uuidString)", isDirectory: true)

    deinit { try? FileManager.default.removeItem(at: url) }
}
#endif

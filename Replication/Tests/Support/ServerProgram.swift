import Foundation

/// The NATS server that the tests use. `Tools/set-up` installs it.
///
/// The variable `DAYBOOK_NATS_SERVER` names another server, such as that of
/// `Tools/set-up --newest`.
package enum ServerProgram {
    /// The path of the server; nil if none can be installed.
    package static let path: String? = {
        if let path = ProcessInfo.processInfo.environment["DAYBOOK_NATS_SERVER"] { return path }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        do {
            let output = try Program.run(root.appendingPathComponent("Tools/set-up").path, [])
            return output.split(separator: "\n").last.map(String.init)
        } catch {
            print("The tests with a server are skipped: \(error)")
            return nil
        }
    }()

    /// Whether tests with a server can run.
    package static var isInstalled: Bool { path != nil }
}

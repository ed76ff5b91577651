import Foundation
import ReplicationTestSupport
import Testing

/// The object storages that the tests use. `Tools/set-up` installs them.
enum StorageProgram: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// A small server in Python that keeps objects in memory and accepts all credentials.
    case moto
    /// A server that keeps objects on disk and checks signatures.
    case seaweedFS

    /// The programs that could be installed.
    static let installed = allCases.filter { $0.path != nil }

    /// The path of the program; nil if it cannot be installed.
    var path: String? { Self.paths[self] }

    /// The path of the file to run: for moto, the Python of its environment.
    var executable: String? {
        guard self == .moto, let path else { return path }
        return URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent("python").path
    }

    var testDescription: String { rawValue }

    private static let paths: [StorageProgram: String] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let tool = root.appendingPathComponent("Tools/set-up").path
        var paths: [StorageProgram: String] = [:]
        for program in allCases {
            do {
                let output = try Program.run(tool, [program == .moto ? "--moto" : "--seaweedfs"])
                paths[program] = output.split(separator: "\n").last.map(String.init)
            } catch {
                print("The tests with \(program) are skipped: \(error)")
            }
        }
        return paths
    }()
}

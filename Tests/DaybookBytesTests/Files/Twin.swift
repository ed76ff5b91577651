import DaybookBytes
import Foundation

/// A file system under test, with an empty directory for the test.
struct Playground: ~Copyable {
    let fileSystem: any FileSystem
    let directory: String
    private let isReal: Bool

    init(_ twin: Twin) throws {
        isReal = twin == .real
        switch twin {
        case .real:
            fileSystem = RealFileSystem()
            directory = NSTemporaryDirectory() + "daybook-" + UUID().uuidString
        case .memory:
            fileSystem = MemoryFileSystem()
            directory = "/store"
        case .recordingMemory:
            fileSystem = MemoryFileSystem(recording: true)
            directory = "relative/store"
        }
        try fileSystem.createDirectory(directory)
    }

    deinit {
        if isReal { try? FileManager.default.removeItem(atPath: directory) }
    }

    func path(_ name: String) -> String { directory + "/" + name }
}

/// The file systems that must behave alike.
enum Twin: CaseIterable { case real, memory, recordingMemory }

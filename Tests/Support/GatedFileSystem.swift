package import DaybookBytes

/// A file system whose files, or some of them, sync through a gate. All other calls are forwarded.
package struct GatedFileSystem: ForwardingFileSystem {
    package let base: any FileSystem
    private let gate: SyncGate
    private let part: String

    /// Creates a file system where files whose paths contain `part` sync through the gate.
    package init(_ base: any FileSystem, _ gate: SyncGate, ofPathsWith part: String = "/") {
        self.base = base
        self.gate = gate
        self.part = part
    }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let file = try base.open(path, mode)
        return path.contains(part) ? GatedFile(file, gate) : file
    }
}

private final class GatedFile: ForwardingFile {
    let base: any File
    private let gate: SyncGate

    init(_ base: any File, _ gate: SyncGate) {
        self.base = base
        self.gate = gate
    }

    func sync() throws(DaybookError) {
        try gate.pass()
        try base.sync()
    }
}

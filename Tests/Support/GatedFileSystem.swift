package import DaybookBytes

/// A file system whose files sync through a gate; all else is as it is below.
package struct GatedFileSystem: ForwardingFileSystem {
    package let base: any FileSystem
    private let gate: SyncGate

    package init(_ base: any FileSystem, _ gate: SyncGate) {
        self.base = base
        self.gate = gate
    }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        GatedFile(try base.open(path, mode), gate)
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

import DaybookBytes

/// Stores everything that recovery removes, for inspection. Daybook never deletes or reads these
/// files.
struct Quarantine {
    let fileSystem: any FileSystem
    let directory: String

    private var path: String { directory + "/" + StoreFileName.quarantine.text }

    /// Writes `bytes` durably to a file whose name starts with `name`; returns the file name.
    func keep(_ bytes: [UInt8], _ name: String) throws(DaybookError) -> String {
        try prepare()
        let unused = try unusedName(name)
        let file = try fileSystem.open(path + "/" + unused, .create)
        defer { file.close() }
        try file.write(bytes.span, at: 0)
        try file.sync()
        try fileSystem.syncDirectory(path)
        return unused
    }

    /// Moves a file of the store to quarantine.
    func move(_ name: String) throws(DaybookError) {
        try prepare()
        try fileSystem.rename(directory + "/" + name, to: path + "/" + (try unusedName(name)))
        try fileSystem.syncDirectory(path)
        try fileSystem.syncDirectory(directory)
    }

    private func prepare() throws(DaybookError) {
        guard try fileSystem.kind(of: path) == nil else { return }
        try fileSystem.createDirectory(path)
    }

    private func unusedName(_ name: String) throws(DaybookError) -> String {
        let taken = Set(try fileSystem.list(path))
        guard taken.contains(name) else { return name }
        var number = 2
        while taken.contains("\(name).\(number)") { number += 1 }
        return "\(name).\(number)"
    }
}

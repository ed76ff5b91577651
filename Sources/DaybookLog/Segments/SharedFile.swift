import DaybookBytes

/// A file that closes when its last user releases it.
final class SharedFile: File {
    let base: any File

    init(_ base: any File) { self.base = base }

    deinit { base.close() }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        try base.read(count, at: offset)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        try base.write(bytes, at: offset)
    }

    func size() throws(DaybookError) -> Int { try base.size() }

    func resize(to size: Int) throws(DaybookError) { try base.resize(to: size) }

    func preallocate(to size: Int) throws(DaybookError) { try base.preallocate(to: size) }

    func sync() throws(DaybookError) { try base.sync() }

    func close() { base.close() }
}

import DaybookBytes

/// A file whose unreadable sectors are read as zeros, so that the rest of it can be used. The
/// checks of the frames detect the zeros.
final class SalvageFile: File {
    /// The unit in which a failed read is repeated.
    private static let sectorBytes = 4 << 10

    private let base: any File

    init(_ base: any File) { self.base = base }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        do throws(DaybookError) {
            return try base.read(count, at: offset)
        } catch  where error.code == .inputOutput {
            return try readSectors(count, at: offset)
        }
    }

    private func readSectors(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        let end = min(offset + count, try base.size())
        var bytes: [UInt8] = []
        while offset + bytes.count < end {
            let start = offset + bytes.count
            let stop = min(end, (start / Self.sectorBytes + 1) * Self.sectorBytes)
            do throws(DaybookError) {
                let sector = try base.read(stop - start, at: start)
                bytes += sector
                // The file became shorter.
                if sector.isEmpty { break }
            } catch  where error.code == .inputOutput {
                bytes += [UInt8](repeating: 0, count: stop - start)
            }
        }
        return bytes
    }

    func size() throws(DaybookError) -> Int { try base.size() }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) { throw Log.readOnly }

    func resize(to size: Int) throws(DaybookError) { throw Log.readOnly }

    func preallocate(to size: Int) throws(DaybookError) { throw Log.readOnly }

    func sync() throws(DaybookError) { throw Log.readOnly }

    func close() { base.close() }
}

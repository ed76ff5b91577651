package import DaybookBytes

extension MemoryFileSystem {
    /// What another process finds when this one is killed now: every write, and no lock.
    package func afterKill() -> MemoryFileSystem { MemoryFileSystem(contents: contents) }

    /// The same with one file changed.
    package func afterKill(
        changing path: String, _ change: (inout [UInt8]) -> Void
    ) -> MemoryFileSystem {
        var contents = contents
        if var bytes = contents[path] {
            change(&bytes)
            contents[path] = bytes
        }
        return MemoryFileSystem(contents: contents)
    }

    /// The same with the first place damaged where a text stands in the newest segment; nil where
    /// it stands nowhere.
    package func afterKill(spoiling text: String) -> MemoryFileSystem? {
        let text = Array(text.utf8)
        guard let path = paths("segment-").last else { return nil }
        var isSpoilt = false
        let spoilt = afterKill(changing: path) { bytes in
            let place = bytes.indices.first { bytes[$0...].prefix(text.count).elementsEqual(text) }
            guard let place else { return }
            bytes[place] ^= 1
            isSpoilt = true
        }
        return isSpoilt ? spoilt : nil
    }

    /// The paths of all files whose names begin so.
    package func paths(_ prefix: String) -> [String] {
        contents.keys.filter { ($0.split(separator: "/").last ?? "").hasPrefix(prefix) }.sorted()
    }
}

package import DaybookBytes

extension MemoryFileSystem {
    /// Returns the files that another process finds if this process is killed now: every write, and
    /// no lock.
    package func afterKill() -> MemoryFileSystem { MemoryFileSystem(contents: contents) }

    /// Returns the same with one changed file.
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

    /// Returns the same with damage at the first occurrence of a string in the newest segment; nil
    /// if no segment contains the string.
    package func afterKill(damaging text: String) -> MemoryFileSystem? {
        let text = Array(text.utf8)
        guard let path = paths("segment-").last else { return nil }
        var isDamaged = false
        let damaged = afterKill(changing: path) { bytes in
            let place = bytes.indices.first { bytes[$0...].prefix(text.count).elementsEqual(text) }
            guard let place else { return }
            bytes[place] ^= 1
            isDamaged = true
        }
        return isDamaged ? damaged : nil
    }

    /// Returns the paths of all files whose names begin with a prefix.
    package func paths(_ prefix: String) -> [String] {
        contents.keys.filter { ($0.split(separator: "/").last ?? "").hasPrefix(prefix) }.sorted()
    }
}

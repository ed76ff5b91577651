import DaybookBytes

/// A trained dictionary on disk; its hash stands in the manifest.
enum DictionaryFile {
    static func load(
        _ entry: Manifest.Dictionary?, in directory: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> ZstdDictionary? {
        guard let entry else { return nil }
        let name = StoreFileName.dictionary(id: entry.id).text
        let bytes = try fileSystem.readAll(directory + "/" + name)
        guard XXH64.hash(bytes.span) == entry.hash else {
            throw DaybookError(
                .corruption,
                "\(name) is damaged, and compressed segments need it. Restore it from a backup.",
                details: ["file": name])
        }
        return try ZstdDictionary(id: UInt32(entry.id), bytes: bytes)
    }
}

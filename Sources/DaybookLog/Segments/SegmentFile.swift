import DaybookBytes

/// Creates the file of an active segment.
enum SegmentFile {
    /// Creates the file of the manifest's active segment with its header, and syncs the content.
    /// Its name becomes durable with the manifest. An existing file of that name can only be a
    /// leftover of an unfinished roll.
    static func create(
        _ manifest: Manifest, in directory: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> any File {
        let header = manifest.activeHeader
        let path = directory + "/" + header.fileName.text
        let file = try fileSystem.open(path, .replace)
        do throws(DaybookError) {
            let bytes = header.encoded().bytes
            try file.write(bytes.span, at: 0)
            try file.sync()
            return file
        } catch {
            file.close()
            throw error
        }
    }
}

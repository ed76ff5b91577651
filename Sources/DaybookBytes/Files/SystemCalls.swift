/// The raw calls of ``RealFileSystem`` as closures. Tests replace one to test the handling of
/// interrupted and short calls.
///
/// Every call returns a result from 0 up or a negated error number, like the kernel. No call
/// repeats, continues or explains anything; the file system does that.
@safe package struct SystemCalls: Sendable {
    /// The modes of ``openFile``.
    package enum Opening: Sendable {
        case read, readWrite, create, replace
        /// Creates the file or opens the existing one without truncating it.
        case lock
        /// Opens a directory, to sync it.
        case directory
    }

    /// Returns a descriptor with close-on-exec.
    package var openFile: @Sendable (_ path: String, _ opening: Opening) -> Int
    package var closeFile: @Sendable (_ descriptor: Int32) -> Int
    /// Returns the number of bytes read; 0 is the end of the file.
    package var readBytes:
        @Sendable (_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer, _ offset: Int) ->
            Int
    /// Returns the number of bytes written.
    package var writeBytes:
        @Sendable (_ descriptor: Int32, _ source: UnsafeRawBufferPointer, _ offset: Int) -> Int
    /// Returns the size of a regular file; anything else is an error.
    package var fileSize: @Sendable (_ descriptor: Int32) -> Int
    package var setFileSize: @Sendable (_ descriptor: Int32, _ size: Int) -> Int
    /// Reserves blocks for the first `size` bytes and extends a smaller file to that size.
    package var allocate: @Sendable (_ descriptor: Int32, _ size: Int) -> Int
    /// Makes the bytes and the size of a file durable.
    package var syncFile: @Sendable (_ descriptor: Int32) -> Int
    /// Makes the names in a directory durable. `fdatasync` is enough for a file, but does not
    /// guarantee the names in a directory.
    package var syncNames: @Sendable (_ descriptor: Int32) -> Int
    /// Takes the exclusive lock without waiting.
    package var lockFile: @Sendable (_ descriptor: Int32) -> Int
    package var unlockFile: @Sendable (_ descriptor: Int32) -> Int
    /// Returns 1 if the path names the open file, 0 if it names another file or none.
    package var isNamed: @Sendable (_ descriptor: Int32, _ path: String) -> Int
    package var renameFile: @Sendable (_ path: String, _ newPath: String) -> Int
    /// Creates a hard link.
    package var linkFile: @Sendable (_ path: String, _ newPath: String) -> Int
    package var removeFile: @Sendable (_ path: String) -> Int
    package var makeDirectory: @Sendable (_ path: String) -> Int
    /// Removes an empty directory.
    package var removeDirectory: @Sendable (_ path: String) -> Int
    /// Passes on the absolute path without links and dots; every component must exist.
    package var resolve: @Sendable (_ path: String, _ found: (String) -> Void) -> Int
    /// Returns the mode bits, following symbolic links.
    package var mode: @Sendable (_ path: String) -> Int
    /// Passes on each name, in no particular order, including `.` and `..`.
    package var listDirectory: @Sendable (_ path: String, _ found: (String) -> Void) -> Int
}

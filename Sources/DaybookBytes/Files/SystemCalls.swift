/// The raw calls that ``RealFileSystem`` is made of, as values, so that a test can make one of
/// them interrupted or short and watch the real loops deal with it.
///
/// Every call answers like the kernel: a result from 0 up, or an error number, negated. None
/// repeats, continues or explains anything: that is the file system's part.
@safe package struct SystemCalls: Sendable {
    /// What may be asked of ``openFile``.
    package enum Opening: Sendable {
        case read, readWrite, create, replace
        /// Make the file or take the one that is there, as it is.
        case lock
        /// A directory, to sync it.
        case directory
    }

    /// Answers a descriptor that does not survive `exec`.
    package var openFile: @Sendable (_ path: String, _ opening: Opening) -> Int
    package var closeFile: @Sendable (_ descriptor: Int32) -> Int
    /// Answers how many bytes were read; 0 is the end of the file.
    package var readBytes:
        @Sendable (_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer, _ offset: Int) ->
            Int
    /// Answers how many bytes were written.
    package var writeBytes:
        @Sendable (_ descriptor: Int32, _ source: UnsafeRawBufferPointer, _ offset: Int) -> Int
    /// Answers the size of a regular file; anything else is an error.
    package var fileSize: @Sendable (_ descriptor: Int32) -> Int
    package var setFileSize: @Sendable (_ descriptor: Int32, _ size: Int) -> Int
    /// Reserves blocks for the first `size` bytes and grows the file to that size if it is smaller.
    package var allocate: @Sendable (_ descriptor: Int32, _ size: Int) -> Int
    /// Makes the bytes and the size of a file durable.
    package var syncFile: @Sendable (_ descriptor: Int32) -> Int
    /// Makes the names in a directory durable. Not the same: where `fdatasync` serves for a file,
    /// it is nowhere said that it covers the names in a directory.
    package var syncNames: @Sendable (_ descriptor: Int32) -> Int
    /// Takes the exclusive lock without waiting.
    package var lockFile: @Sendable (_ descriptor: Int32) -> Int
    package var unlockFile: @Sendable (_ descriptor: Int32) -> Int
    /// Answers 1 where the path names the open file, 0 where it names another one or none.
    package var isNamed: @Sendable (_ descriptor: Int32, _ path: String) -> Int
    package var renameFile: @Sendable (_ path: String, _ newPath: String) -> Int
    /// Gives a file a second name.
    package var linkFile: @Sendable (_ path: String, _ newPath: String) -> Int
    package var removeFile: @Sendable (_ path: String) -> Int
    package var makeDirectory: @Sendable (_ path: String) -> Int
    /// Removes a directory that is empty.
    package var removeDirectory: @Sendable (_ path: String) -> Int
    /// Hands over the absolute path without links and dots; all of it has to be there.
    package var resolve: @Sendable (_ path: String, _ found: (String) -> Void) -> Int
    /// Answers the mode bits, following symbolic links.
    package var mode: @Sendable (_ path: String) -> Int
    /// Hands over the names one by one, in no order, `.` and `..` among them.
    package var listDirectory: @Sendable (_ path: String, _ found: (String) -> Void) -> Int
}

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension SystemCalls {
    /// The calls of the operating system.
    // SAFETY: buffers and paths are passed to the C library as documented; see each call.
    package static let live = unsafe SystemCalls(
        openFile: { answer(openDescriptor($0, $1)) },
        closeFile: { answer(close($0)) },
        // SAFETY: the kernel writes at most `count` bytes of the buffer.
        readBytes: { unsafe answer(pread($0, $1.baseAddress, $1.count, off_t($2))) },
        // SAFETY: the kernel reads at most `count` bytes of the buffer.
        writeBytes: { unsafe answer(pwrite($0, $1.baseAddress, $1.count, off_t($2))) },
        fileSize: size,
        setFileSize: { answer(ftruncate($0, off_t($1))) },
        allocate: reserve,
        syncFile: flush,
        syncNames: flushAll,
        lockFile: { answer(flock($0, LOCK_EX | LOCK_NB)) },
        unlockFile: { answer(flock($0, LOCK_UN)) },
        isNamed: isNamed,
        // SAFETY: a String passed as a C string is zero-terminated and valid for the call.
        renameFile: { unsafe answer(rename($0, $1)) },
        linkFile: { unsafe answer(link($0, $1)) },
        removeFile: { unsafe answer(unlink($0)) },
        // A store may contain personal data, so only its user has access; chmod can give more.
        makeDirectory: { unsafe answer(mkdir($0, 0o700)) },
        removeDirectory: { unsafe answer(rmdir($0)) },
        resolve: resolvedPath,
        mode: modeBits,
        listDirectory: names)

    /// The kind of a file with these mode bits.
    static func kind(ofMode mode: Int) -> FileKind {
        switch mode_t(truncatingIfNeeded: mode) & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        default: .other
        }
    }

    private static func answer<Result: FixedWidthInteger>(_ result: Result) -> Int {
        result < 0 ? -Int(errno) : Int(result)
    }

    private static func openDescriptor(_ path: String, _ opening: Opening) -> Int32 {
        let flags =
            switch opening {
            case .read: O_RDONLY
            case .readWrite: O_RDWR
            case .create: O_RDWR | O_CREAT | O_EXCL
            case .replace: O_RDWR | O_CREAT | O_TRUNC
            case .lock: O_RDWR | O_CREAT
            case .directory: O_RDONLY | O_DIRECTORY
            }
        // SAFETY: see the paths above.
        return unsafe open(path, flags | O_CLOEXEC, 0o600)
    }

    private static func size(_ descriptor: Int32) -> Int {
        var status = stat()
        // SAFETY: the kernel fills exactly this structure.
        guard unsafe fstat(descriptor, &status) == 0 else { return -Int(errno) }
        switch kind(ofMode: Int(status.st_mode)) {
        case .file: return Int(status.st_size)
        case .directory: return -Int(EISDIR)
        case .other: return -Int(EINVAL)
        }
    }

    private static func modeBits(_ path: String) -> Int {
        var status = stat()
        // SAFETY: the kernel fills exactly this structure.
        return unsafe stat(path, &status) == 0 ? Int(status.st_mode) : -Int(errno)
    }

    private static func isNamed(_ descriptor: Int32, _ path: String) -> Int {
        var (opened, named) = (stat(), stat())
        // SAFETY: the kernel fills exactly these structures.
        guard unsafe fstat(descriptor, &opened) == 0 else { return -Int(errno) }
        // SAFETY: see above, and the paths.
        guard unsafe stat(path, &named) == 0 else { return errno == ENOENT ? 0 : -Int(errno) }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino ? 1 : 0
    }

    private static func reserve(_ descriptor: Int32, _ size: Int) -> Int {
        #if canImport(Darwin)
        let present = self.size(descriptor)
        guard present >= 0, size > present else { return min(present, 0) }
        var request = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
            fst_length: off_t(size - present), fst_bytesalloc: 0)
        // SAFETY: F_PREALLOCATE takes this structure and writes nothing but its last field.
        guard unsafe fcntl(descriptor, F_PREALLOCATE, &request) != -1 else {
            return -Int(errno)
        }
        return answer(ftruncate(descriptor, off_t(size)))
        #else
        // Returns the error number itself. It extends the file and never truncates it.
        return -Int(posix_fallocate(descriptor, 0, off_t(size)))
        #endif
    }

    private static func flush(_ descriptor: Int32) -> Int {
        #if canImport(Darwin)
        // fsync alone leaves the bytes in the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        guard errno == ENOTSUP || errno == EINVAL else { return -Int(errno) }
        return answer(fsync(descriptor))
        #else
        return answer(fdatasync(descriptor))
        #endif
    }

    /// Calls `fsync`: file systems guarantee only for `fsync` that it covers names in a directory.
    private static func flushAll(_ descriptor: Int32) -> Int {
        #if canImport(Darwin)
        return flush(descriptor)
        #else
        return answer(fsync(descriptor))
        #endif
    }

    private static func resolvedPath(_ path: String, _ found: (String) -> Void) -> Int {
        // SAFETY: without a buffer, realpath allocates a zero-terminated string. It is copied and
        // then freed once.
        guard let resolved = unsafe realpath(path, nil) else { return -Int(errno) }
        defer { unsafe free(resolved) }
        unsafe found(String(cString: resolved))
        return 0
    }

    private static func names(_ path: String, _ found: (String) -> Void) -> Int {
        // SAFETY: the directory is closed once, after all names were read.
        guard let directory = unsafe opendir(path) else { return -Int(errno) }
        defer { unsafe _ = closedir(directory) }
        while true {
            errno = 0
            // SAFETY: the entry is valid until the next readdir, and its name is copied before
            // that.
            guard let entry = unsafe readdir(directory) else { return -Int(errno) }
            // SAFETY: d_name is zero-terminated within the entry.
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { text in
                    unsafe found(String(cString: text))
                }
            }
        }
    }
}

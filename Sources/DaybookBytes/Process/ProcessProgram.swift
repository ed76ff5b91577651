#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The program that this process runs, and its replacement by another one.
package enum ProcessProgram {
    /// The canonical path of the folder of the running program; nil if the system does not tell it.
    package static var folder: String? {
        #if canImport(Darwin)
        var count: UInt32 = 0
        // SAFETY: without a buffer, the call only stores the needed count.
        _ = unsafe _NSGetExecutablePath(nil, &count)
        var characters = [CChar](repeating: 0, count: Int(count))
        // SAFETY: the call writes at most `count` bytes, which is the length of the array.
        guard unsafe _NSGetExecutablePath(&characters, &count) == 0 else { return nil }
        let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let path = String(decoding: bytes, as: UTF8.self)
        #else
        let path = "/proc/self/exe"
        #endif
        guard let resolved = try? RealFileSystem().resolve(path),
            (try? RealFileSystem().kind(of: resolved)) == .file
        else { return nil }
        return DirectoryPath.parent(of: resolved)
    }

    /// Whether a path names a file that this process may execute.
    package static func isExecutable(_ path: String) -> Bool {
        guard (try? RealFileSystem().kind(of: path)) == .file else { return false }
        // SAFETY: a String passed as a C string ends with a zero byte and outlives the call.
        return unsafe access(path, X_OK) == 0
    }

    /// Replaces the program of this process by another one, which gets the environment and all open
    /// descriptors without close-on-exec. `arguments` begins with the name of the program.
    ///
    /// Returns only if that is impossible: the negated error number.
    package static func replace(with path: String, arguments: [String]) -> Int {
        // SAFETY: `strdup` copies each string with its zero. The list ends with nil, as `execv`
        // requires, and is freed only if the call returns.
        var copies = unsafe arguments.map { unsafe strdup($0) }
        unsafe copies.append(nil)
        defer { unsafe copies.forEach { unsafe free($0) } }
        _ = unsafe execv(path, copies)
        return -Int(errno)
    }
}

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension DaybookError {
    /// Converts an error of the operating system.
    ///
    /// The code follows from the number: a full volume and a full quota are `.outOfSpace`, denied
    /// access is `.permissionDenied`, and so on. Numbers without a code are `.inputOutput`. The
    /// details always contain `"errno"`, `"operation"` and `"path"`.
    package static func operatingSystem(
        errno number: Int32, operation: String, path: String
    ) -> DaybookError {
        let (code, remedy): (Code, String) =
            switch number {
            case ENOENT: (.fileNotFound, "Check the path.")
            case EEXIST: (.fileExists, "Choose another name, or remove the existing file.")
            case ENOSPC, EDQUOT: (.outOfSpace, "Free some space or raise the quota, and try again.")
            case EROFS:
                (.permissionDenied, "The volume is read-only: open the store for reading.")
            case EACCES, EPERM:
                (.permissionDenied, accessRemedy)
            case ENOTDIR: (.inputOutput, "Check the path: one of its directories is a file.")
            case ELOOP, ENAMETOOLONG: (.inputOutput, "Check the path.")
            case EBADF: (.inputOutput, "The file was closed; open it again.")
            default: (.inputOutput, "Check the volume and its log of errors.")
            }
        let reason = String(systemErrorNumber: number)
        return DaybookError(
            code, "Cannot \(operation) \"\(path)\": \(reason). \(remedy)",
            details: ["errno": String(number), "operation": operation, "path": path])
    }

    private static var accessRemedy: String {
        #if canImport(Darwin) && !os(macOS)
        // The system answers so for a protected file while the device is locked.
        "Unlock the device, or check the protection class of the file."
        #else
        "Check the owner and the mode of the file and its directory."
        #endif
    }

    /// Whether a sync failed because the file system has none: a read-only medium, or a shared
    /// folder. Nothing was lost by that failure. A reader may ignore it; a writer must not.
    package var isUnsupportedSync: Bool {
        let numbers = [EINVAL, EROFS, ENOTSUP, EOPNOTSUPP, ENOSYS].map { String($0) }
        return details["errno"].map(numbers.contains) ?? false
    }

    /// The error of an operation on a closed file.
    static func fileClosed(_ operation: String, _ path: String) -> DaybookError {
        DaybookError(
            .closed, "Cannot \(operation) \"\(path)\": the file was closed. Open it again.",
            details: ["operation": operation, "path": path])
    }

    /// The error of an offset or length that no file can have.
    static func outsideOfFile(_ operation: String, _ path: String) -> DaybookError {
        operatingSystem(errno: EINVAL, operation: operation, path: path)
    }
}

extension String {
    /// The operating system's description of an error number.
    init(systemErrorNumber number: Int32) {
        // SAFETY: strerror returns a zero-terminated string for every number.
        self = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}

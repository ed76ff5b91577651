#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The environment of the process.
package enum ProcessEnvironment {
    /// Whether a variable is set to a non-empty string.
    package static func isSet(_ name: String) -> Bool {
        // SAFETY: getenv returns nil or a zero-terminated string, of which only the first byte is
        // read. This package never changes the environment.
        guard let value = unsafe getenv(name) else { return false }
        return unsafe value.pointee != 0
    }

    /// The value of a variable; nil if it is not set.
    package static func value(_ name: String) -> String? {
        // SAFETY: getenv returns nil or a zero-terminated string, which is copied. This package
        // never changes the environment.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}

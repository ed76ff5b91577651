#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The id of this process, for the note in a lock file.
package enum ProcessIdentity {
    package static var current: Int { Int(getpid()) }
}

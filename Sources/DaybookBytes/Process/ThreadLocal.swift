#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// One object per thread, released when its thread ends.
///
/// Meant for a handful of `static let`s: the operating system has about a thousand keys a process,
/// and running out of them traps. Reading costs less than 10 ns,
/// most of it for retaining the object, and no lock is taken.
package final class ThreadLocal<Value: AnyObject>: Sendable {
    private let key: pthread_key_t

    /// Takes a key; every thread begins without a value.
    package init() {
        var key = pthread_key_t()
        // SAFETY: the key is written before the call returns, and read only after it succeeded.
        let status = unsafe pthread_key_create(&key) { pointer in
            // SAFETY: the only pointers stored under the key are retained objects, see `value`;
            // the threads library calls this for a pointer that is not null, once.
            #if canImport(Darwin)
            unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
            #else
            if let pointer = unsafe pointer {
                unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
            }
            #endif
        }
        precondition(status == 0, "no thread-specific key is left: make ThreadLocals static")
        self.key = key
    }

    // Only the value of the thread that lets go last is released here; the others stay until their
    // process ends. Static ThreadLocals never come here.
    deinit {
        value = nil
        pthread_key_delete(key)
    }

    /// The object of the thread that asks, or nil.
    package var value: Value? {
        get {
            // SAFETY: the setter stored a retained `Value`, which stays until it is replaced.
            guard let pointer = unsafe pthread_getspecific(key) else { return nil }
            return unsafe Unmanaged<Value>.fromOpaque(pointer).takeUnretainedValue()
        }
        set {
            // SAFETY: the key was made in init and lives as long as this object; the new value is
            // retained for as long as it is stored.
            let old = unsafe pthread_getspecific(key)
            var new: UnsafeMutableRawPointer?
            if let newValue { unsafe new = Unmanaged.passRetained(newValue).toOpaque() }
            let status = unsafe pthread_setspecific(key, new)
            precondition(status == 0, "no memory for a thread-specific value")
            // SAFETY: `old` was retained by this setter and is no longer stored anywhere. It is
            // released last, for its deinit may come back here.
            if let old = unsafe old { unsafe Unmanaged<Value>.fromOpaque(old).release() }
        }
    }
}

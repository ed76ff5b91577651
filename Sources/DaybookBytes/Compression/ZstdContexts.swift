#if BundledZstd
internal import libzstd
#else
internal import CZstd
#endif

/// The working memory of zstd: one pair of contexts per thread, reused by every call.
@safe final class ZstdContexts {
    let compressor: OpaquePointer
    let decompressor: OpaquePointer

    private static let local = ThreadLocal<ZstdContexts>()

    private init(compressor: OpaquePointer, decompressor: OpaquePointer) {
        // SAFETY: this object owns both contexts from here on and frees them once, in deinit.
        unsafe self.compressor = compressor
        unsafe self.decompressor = decompressor
    }

    deinit {
        // SAFETY: this object is the only owner.
        unsafe ZSTD_freeCCtx(compressor)
        unsafe ZSTD_freeDCtx(decompressor)
    }

    /// The contexts of the current thread. A call must not suspend while it uses them.
    static func current() throws(DaybookError) -> ZstdContexts {
        if let contexts = local.value { return contexts }
        // SAFETY: both are checked before use; freeing a null context is allowed.
        let compressor = unsafe ZSTD_createCCtx()
        let decompressor = unsafe ZSTD_createDCtx()
        guard let compressor = unsafe compressor, let decompressor = unsafe decompressor else {
            unsafe ZSTD_freeCCtx(compressor)
            unsafe ZSTD_freeDCtx(decompressor)
            throw Zstd.noMemory("a zstd context")
        }
        let contexts = unsafe ZstdContexts(compressor: compressor, decompressor: decompressor)
        local.value = contexts
        return contexts
    }
}

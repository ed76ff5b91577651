internal import CZstd

/// The working memory of zstd: made once per thread, used for every call on that thread.
@safe final class ZstdContexts {
    let compressor: OpaquePointer
    let decompressor: OpaquePointer

    private static let local = ThreadLocal<ZstdContexts>()

    private init(compressor: OpaquePointer, decompressor: OpaquePointer) {
        // SAFETY: from here on they are this object's, which gives them back once, in deinit.
        unsafe self.compressor = compressor
        unsafe self.decompressor = decompressor
    }

    deinit {
        // SAFETY: nobody else has them.
        unsafe ZSTD_freeCCtx(compressor)
        unsafe ZSTD_freeDCtx(decompressor)
    }

    /// Those of the current thread. No call may suspend while it uses them.
    static func current() throws(DaybookError) -> ZstdContexts {
        if let contexts = local.value { return contexts }
        // SAFETY: both are checked before they are used; freeing a null one is fine.
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

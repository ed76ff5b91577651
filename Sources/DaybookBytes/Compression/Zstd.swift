internal import CZstd

/// Compression by the system's libzstd.
///
/// A compressed text carries its raw length and nothing else that we keep elsewhere: no dictionary
/// id, no checksum. Working memory is kept per thread, so calls from many threads never wait.
package enum Zstd {
    /// The highest level that is used: libzstd 1.5.4 has a fault in its block splitter, which
    /// runs from level 13 up and can produce text that does not decompress to what went in.
    package static let levelMax = 12

    /// The fastest level that is used.
    package static let levelMin = -100

    /// The most bytes that one compressed text may stand for: 1 GiB.
    package static let rawLengthMax = 1 << 30

    /// The most bytes that one block of a zstd frame stands for.
    private static let blockLengthMax = 128 << 10
    /// The fewest bytes that one block takes: its header.
    private static let blockHeaderLength = 3

    /// The bytes, compressed.
    ///
    /// - Parameters:
    ///   - bytes: at most ``rawLengthMax`` bytes; more is `.invalidArgument`.
    ///   - level: from −100 (fastest) over 1 and 3 to ``levelMax`` (smallest); higher means
    ///     ``levelMax``.
    ///   - dictionary: what the text may refer to; decompression needs the same one.
    /// - Returns: the text, which is longer than `bytes` (by 0.4 % and some bytes at most) where
    ///   there is nothing to gain.
    package static func compress(
        _ bytes: Span<UInt8>, level: Int, dictionary: ZstdDictionary? = nil
    ) throws(DaybookError) -> [UInt8] {
        guard bytes.count <= rawLengthMax else {
            throw DaybookError(
                .invalidArgument,
                "\(bytes.count) bytes are too many to compress at once. Split them at "
                    + "\(rawLengthMax).")
        }
        let contexts = try ZstdContexts.current()
        let level = min(max(level, levelMin), levelMax)
        let prepared = try dictionary?.compression(level: level)
        // SAFETY: the context belongs to this thread, and `contexts` keeps it alive; the prepared
        // dictionary outlives the call and is forgotten by the reset at the next one.
        let context = unsafe contexts.compressor
        unsafe ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(level))
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0)
        if let prepared { unsafe ZSTD_CCtx_refCDict(context, prepared.pointer) }
        defer { withExtendedLifetime((contexts, prepared)) {} }

        let capacity = ZSTD_compressBound(bytes.count)
        var status = 0
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, filled in
            unsafe bytes.withUnsafeBytes { source in
                // SAFETY: both buffers are handed over with their sizes.
                status = unsafe ZSTD_compress2(
                    context, target.baseAddress, capacity, source.baseAddress, source.count)
            }
            filled = ZSTD_isError(status) == 0 ? status : 0
        }
        if ZSTD_isError(status) != 0 { throw noMemory("compressing: \(reason(status))") }
        return compressed
    }

    /// The bytes that were compressed, exactly `rawLength` of them.
    ///
    /// - Throws: `.corruption` where the text is damaged, stands for another number of bytes, needs
    ///   another dictionary, or where `rawLength` is more than the text can stand for. Nothing is
    ///   allocated before both lengths agree.
    package static func decompress(
        _ compressed: Span<UInt8>, rawLength: Int, dictionary: ZstdDictionary? = nil
    ) throws(DaybookError) -> [UInt8] {
        // A few bytes cannot stand for a gigabyte, whatever they and the caller say.
        let blockCountMax = compressed.count / blockHeaderLength
        guard rawLength >= 0, rawLength <= min(rawLengthMax, blockCountMax * blockLengthMax) else {
            throw damaged("\(compressed.count) bytes cannot stand for \(rawLength)")
        }
        // SAFETY: the buffer is handed over with its size.
        let announced = unsafe compressed.withUnsafeBytes { source in
            unsafe ZSTD_getFrameContentSize(source.baseAddress, source.count)
        }
        guard announced == UInt64(rawLength) else {
            throw damaged("the announced length is not \(rawLength)")
        }
        let contexts = try ZstdContexts.current()
        let context = unsafe contexts.decompressor
        defer { withExtendedLifetime((contexts, dictionary)) {} }
        var status = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: rawLength) { target, filled in
            unsafe compressed.withUnsafeBytes { source in
                // SAFETY: both buffers are handed over with their sizes; the context belongs to
                // this thread; an absent dictionary is a null pointer, which means none.
                status = unsafe ZSTD_decompress_usingDDict(
                    context, target.baseAddress, rawLength, source.baseAddress, source.count,
                    dictionary?.decompression)
            }
            filled = ZSTD_isError(status) == 0 ? min(status, rawLength) : 0
        }
        if ZSTD_isError(status) != 0 { throw damaged(reason(status)) }
        guard bytes.count == rawLength else {
            throw damaged("\(bytes.count) bytes came out instead of \(rawLength)")
        }
        return bytes
    }

    static func noMemory(_ purpose: String) -> DaybookError {
        DaybookError(
            .inputOutput, "There is not enough memory for \(purpose). Free some and try again.")
    }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "The compressed bytes are damaged: \(what).")
    }

    private static func reason(_ status: Int) -> String {
        // SAFETY: the name is a constant text that ends with a zero byte.
        unsafe ZSTD_getErrorName(status).map { unsafe String(cString: $0) } ?? "error \(status)"
    }
}

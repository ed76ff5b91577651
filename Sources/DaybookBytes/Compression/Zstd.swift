#if BundledZstd
internal import libzstd
#else
internal import CZstd
#endif

/// Compression by libzstd: the system's library, or the bundled one with the trait `BundledZstd`.
///
/// The compressed bytes contain their raw length, but no dictionary id and no checksum, because the
/// frame header has both. Working memory is kept per thread, so calls on different threads never
/// wait for each other.
package enum Zstd {
    /// The highest level used. The block splitter of libzstd 1.5.4, which runs from level 13, has a
    /// bug: its output may decompress to different bytes.
    package static let levelMax = 12

    /// The fastest level used.
    package static let levelMin = -100

    /// The maximum raw length of one compressed payload: 1 GiB.
    package static let rawLengthMax = 1 << 30

    /// The maximum raw length of one zstd block.
    private static let blockLengthMax = 128 << 10
    /// The minimum compressed length of one zstd block: its header.
    private static let blockHeaderLength = 3

    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - bytes: at most ``rawLengthMax`` bytes; more is `.invalidArgument`.
    ///   - level: from −100 (fastest) over 1 and 3 to ``levelMax`` (smallest). Higher levels are
    /// clamped to ``levelMax``.
    ///   - dictionary: content that the result may refer to; decompression needs the same
    /// dictionary.
    /// - Returns: the compressed bytes. Incompressible input grows by at most 0.4 % and a few
    ///   bytes.
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
        // SAFETY: the context belongs to this thread, and `contexts` keeps it alive. The prepared
        // dictionary outlives the call; the reset at the next call removes it from the context.
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
                // SAFETY: both buffers are passed with their sizes.
                status = unsafe ZSTD_compress2(
                    context, target.baseAddress, capacity, source.baseAddress, source.count)
            }
            filled = ZSTD_isError(status) == 0 ? status : 0
        }
        if ZSTD_isError(status) != 0 { throw noMemory("compressing: \(reason(status))") }
        return compressed
    }

    /// Decompresses to exactly `rawLength` bytes.
    ///
    /// - Throws: `.corruption` if the input is damaged, has another raw length or needs another
    ///   dictionary, or if it is too short for `rawLength`. Nothing is allocated before both
    ///   lengths agree.
    package static func decompress(
        _ compressed: Span<UInt8>, rawLength: Int, dictionary: ZstdDictionary? = nil
    ) throws(DaybookError) -> [UInt8] {
        // Limits the allocation: a few compressed bytes cannot expand to a gigabyte.
        let blockCountMax = compressed.count / blockHeaderLength
        guard rawLength >= 0, rawLength <= min(rawLengthMax, blockCountMax * blockLengthMax) else {
            throw damaged("\(compressed.count) bytes cannot expand to \(rawLength)")
        }
        // SAFETY: the buffer is passed with its size.
        let announced = unsafe compressed.withUnsafeBytes { source in
            unsafe ZSTD_getFrameContentSize(source.baseAddress, source.count)
        }
        guard announced == UInt64(rawLength) else {
            throw damaged("the stored raw length is not \(rawLength)")
        }
        let contexts = try ZstdContexts.current()
        let context = unsafe contexts.decompressor
        defer { withExtendedLifetime((contexts, dictionary)) {} }
        var status = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: rawLength) { target, filled in
            unsafe compressed.withUnsafeBytes { source in
                // SAFETY: both buffers are passed with their sizes. The context belongs to this
                // thread. A missing dictionary is a null pointer, which zstd accepts.
                status = unsafe ZSTD_decompress_usingDDict(
                    context, target.baseAddress, rawLength, source.baseAddress, source.count,
                    dictionary?.decompression)
            }
            filled = ZSTD_isError(status) == 0 ? min(status, rawLength) : 0
        }
        if ZSTD_isError(status) != 0 { throw damaged(reason(status)) }
        guard bytes.count == rawLength else {
            throw damaged("they decompress to \(bytes.count) bytes instead of \(rawLength)")
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
        // SAFETY: the name is a constant, zero-terminated C string.
        unsafe ZSTD_getErrorName(status).map { unsafe String(cString: $0) } ?? "error \(status)"
    }
}

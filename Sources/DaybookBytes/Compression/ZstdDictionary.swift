internal import CZstd
internal import Synchronization

/// What compressed texts may refer to: content that many small payloads share.
///
/// Prepared once for decompression and once for each level that compresses with it; the prepared
/// forms only ever get read, so one dictionary serves all threads.
// SENDABLE: the prepared dictionary behind the pointer is never changed after init; zstd documents
// that one may be used by many threads at once. Everything else is a constant or behind a Mutex.
@safe package final class ZstdDictionary: @unchecked Sendable {
    /// Which dictionary it is, for those who store texts compressed with it.
    package let id: UInt32
    /// What to store, to make it again.
    package let bytes: [UInt8]

    /// The form that decompression uses; lives as long as this object.
    let decompression: OpaquePointer
    /// The shortest dictionary that the trainer makes.
    private static let trainedLengthMin = 256
    private let compressionByLevel = Mutex<[Int: Compression]>([:])

    /// Prepares a stored dictionary.
    ///
    /// - Throws: `.corruption` where the bytes begin like a trained dictionary and are none. Any
    ///   other bytes are fine: they are used as they are.
    package init(id: UInt32, bytes: [UInt8]) throws(DaybookError) {
        // SAFETY: the buffer is handed over with its size, and copied.
        let prepared = unsafe bytes.withUnsafeBytes { buffer in
            unsafe ZSTD_createDDict(buffer.baseAddress, buffer.count)
        }
        guard let prepared = unsafe prepared else {
            throw DaybookError(
                .corruption, "The dictionary \(id) is damaged. Restore it from a backup.",
                details: ["dictionary": String(id)])
        }
        self.id = id
        self.bytes = bytes
        unsafe decompression = prepared
    }

    deinit {
        // SAFETY: nobody decompresses with it any more: that retains this object.
        unsafe ZSTD_freeDDict(decompression)
    }

    /// A dictionary made from typical payloads; nil where the trainer finds nothing to share.
    ///
    /// Some thousand samples, about a hundred times `capacityBytes` in all, train well, in some
    /// tenths of a second. The id follows from the content.
    ///
    /// - Parameter capacityBytes: the most bytes of the dictionary; 4 KiB already yield most of
    ///   the gain, and less than 256 yields none.
    package static func train(samples: [[UInt8]], capacityBytes: Int) -> ZstdDictionary? {
        guard capacityBytes >= trainedLengthMin, let count = UInt32(exactly: samples.count)
        else { return nil }
        let lengths = samples.map(\.count)
        let joined = Array(samples.joined())
        // SAFETY: the lengths add up to the bytes of `joined`; the target is handed over with
        // its size, of which the trainer says how much it used.
        let trained = unsafe [UInt8](unsafeUninitializedCapacity: capacityBytes) { target, filled in
            let status = unsafe ZDICT_trainFromBuffer(
                target.baseAddress, capacityBytes, joined, lengths, count)
            filled = ZDICT_isError(status) == 0 ? status : 0
        }
        guard !trained.isEmpty else { return nil }
        let id = unsafe trained.withUnsafeBytes { buffer in
            // SAFETY: the buffer is handed over with its size.
            unsafe ZDICT_getDictID(buffer.baseAddress, buffer.count)
        }
        return try? ZstdDictionary(id: id, bytes: trained)
    }

    /// The form that compression at a level uses, prepared at the first request.
    func compression(level: Int) throws(DaybookError) -> Compression {
        let found = compressionByLevel.withLock { prepared -> Compression? in
            if let found = prepared[level] { return found }
            let made = Compression(bytes, level: level)
            prepared[level] = made
            return made
        }
        guard let found else { throw Zstd.noMemory("a dictionary at level \(level)") }
        return found
    }

    /// A dictionary prepared for compression at one level.
    // SENDABLE: see above; zstd never changes what this points at after init.
    @safe final class Compression: @unchecked Sendable {
        let pointer: OpaquePointer

        init?(_ bytes: [UInt8], level: Int) {
            // SAFETY: the buffer is handed over with its size, and copied.
            let made = unsafe bytes.withUnsafeBytes { buffer in
                unsafe ZSTD_createCDict(buffer.baseAddress, buffer.count, Int32(level))
            }
            guard let made = unsafe made else { return nil }
            unsafe pointer = made
        }

        deinit {
            // SAFETY: nobody compresses with it any more: that retains this object.
            unsafe ZSTD_freeCDict(pointer)
        }
    }
}

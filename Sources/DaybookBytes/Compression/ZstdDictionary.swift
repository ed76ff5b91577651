internal import Synchronization

#if BundledZstd
internal import libzstd
#else
internal import CZstd
#endif

/// A compression dictionary: content that many small payloads have in common.
///
/// It is prepared once for decompression and once for each compression level in use. The prepared
/// forms are immutable, so all threads can share one dictionary.
// SENDABLE: the prepared dictionary is immutable after init, and zstd documents that many threads
// may use one at once. All other state is constant or protected by a Mutex.
@safe package final class ZstdDictionary: @unchecked Sendable {
    /// The id to store with payloads that were compressed with this dictionary.
    package let id: UInt32
    /// The content, to be stored with the payloads.
    package let bytes: [UInt8]

    /// The form used for decompression; lives as long as this object.
    let decompression: OpaquePointer
    /// The minimum length of a trained dictionary.
    private static let trainedLengthMin = 256
    private let compressionByLevel = Mutex<[Int: Compression]>([:])

    /// Prepares a stored dictionary.
    ///
    /// - Throws: `.corruption` if the bytes start like a trained dictionary but are not a valid
    ///   one. Any other bytes are used as raw content.
    package init(id: UInt32, bytes: [UInt8]) throws(DaybookError) {
        // SAFETY: the buffer is passed with its size, and zstd copies it.
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
        // SAFETY: a decompression retains this object, so none is running.
        unsafe ZSTD_freeDDict(decompression)
    }

    /// Trains a dictionary from typical payloads; nil if the samples have too little in common.
    ///
    /// Good samples are some thousand payloads with a total of about a hundred times
    /// `capacityBytes`. Training takes some tenths of a second. The id follows from the content.
    ///
    /// - Parameter capacityBytes: the maximum length of the dictionary. 4 KiB already yield most of
    ///   the gain; the result is nil below 256.
    package static func train(samples: [[UInt8]], capacityBytes: Int) -> ZstdDictionary? {
        guard capacityBytes >= trainedLengthMin, let count = UInt32(exactly: samples.count)
        else { return nil }
        let lengths = samples.map(\.count)
        let joined = Array(samples.joined())
        // SAFETY: the lengths add up to the count of `joined`. The target is passed with its size,
        // and the trainer returns the number of bytes it wrote.
        let trained = unsafe [UInt8](unsafeUninitializedCapacity: capacityBytes) { target, filled in
            let status = unsafe ZDICT_trainFromBuffer(
                target.baseAddress, capacityBytes, joined, lengths, count)
            filled = ZDICT_isError(status) == 0 ? status : 0
        }
        guard !trained.isEmpty else { return nil }
        let id = unsafe trained.withUnsafeBytes { buffer in
            // SAFETY: the buffer is passed with its size.
            unsafe ZDICT_getDictID(buffer.baseAddress, buffer.count)
        }
        return try? ZstdDictionary(id: id, bytes: trained)
    }

    /// The prepared form for a compression level, created at the first request.
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
    // SENDABLE: zstd never changes the prepared dictionary after init.
    @safe final class Compression: @unchecked Sendable {
        let pointer: OpaquePointer

        init?(_ bytes: [UInt8], level: Int) {
            // SAFETY: the buffer is passed with its size, and zstd copies it.
            let made = unsafe bytes.withUnsafeBytes { buffer in
                unsafe ZSTD_createCDict(buffer.baseAddress, buffer.count, Int32(level))
            }
            guard let made = unsafe made else { return nil }
            unsafe pointer = made
        }

        deinit {
            // SAFETY: a compression retains this object, so none is running.
            unsafe ZSTD_freeCDict(pointer)
        }
    }
}

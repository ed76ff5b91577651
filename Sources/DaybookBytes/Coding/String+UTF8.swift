extension String {
    /// Passes the text in UTF-8, without a copy unless Objective-C made the text. The standard
    /// library's `utf8.span` needs macOS 26 and iOS 26.
    @inlinable @inline(__always)
    package func withUTF8Span<Result, Failure: Error>(
        _ body: (_ utf8: Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var text = self
        // SAFETY: the span is used only inside the call, where the buffer is valid.
        let result = text.withUTF8 { buffer in
            Swift.Result { () throws(Failure) in try body(unsafe Span(_unsafeElements: buffer)) }
        }
        return try result.get()
    }

    /// Copies well-formed UTF-8. Ill-formed UTF-8 is `.corruption`, because the writer only stores
    /// checked text.
    @usableFromInline package init(checkingUTF8 bytes: Span<UInt8>) throws(DaybookError) {
        // SAFETY: the buffer is used only inside the call.
        let text = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe String(validating: buffer, as: UTF8.self)
        }
        guard let text else {
            throw DaybookError(
                .corruption, "The bytes are damaged: a text is not well-formed UTF-8.")
        }
        self = text
    }
}

extension Span<UInt8> {
    /// Whether the bytes are well-formed UTF-8.
    package var isWellFormedUTF8: Bool {
        // Most texts are ASCII only.
        var start = 0
        while start < count, self[start] < 0x80 { start &+= 1 }
        if start == count { return true }
        // SAFETY: the buffer is used only inside the call.
        return unsafe extracting(start...).withUnsafeBufferPointer { buffer in
            unsafe String(validating: buffer, as: UTF8.self) != nil
        }
    }
}

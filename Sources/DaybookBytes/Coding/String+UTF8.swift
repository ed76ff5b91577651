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
        guard let text = bytes.validText else {
            throw DaybookError(
                .corruption, "The bytes are damaged: a text is not well-formed UTF-8.")
        }
        self = text
    }
}

extension Span<UInt8> {
    /// Whether the bytes are well-formed UTF-8.
    package var isWellFormedUTF8: Bool {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            (try? UTF8Span(validating: self)) != nil
        } else {
            validText != nil
        }
    }

    /// The bytes as a text; nil if they are not well-formed UTF-8.
    fileprivate var validText: String? {
        // Takes a third less time than the function for older systems.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            guard let text = try? UTF8Span(validating: self) else { return nil }
            return String(copying: text)
        }
        // SAFETY: the buffer is used only inside the call.
        return unsafe withUnsafeBufferPointer { buffer in
            unsafe String(validating: buffer, as: UTF8.self)
        }
    }
}

#if Macros
/// The values of annotations. Each function passes the value to `body`, or returns the error of the
/// annotation.
extension CommentAnnotation {
    /// The error of an annotation with a wrong form.
    var unsuitable: CommentDiagnostic {
        .unsuitable(name.text, form: CommentName(name.text)?.form ?? name.text)
    }

    /// No value.
    func mark(_ body: () -> Void) -> CommentDiagnostic? {
        guard value == nil else { return unsuitable }
        body()
        return nil
    }

    /// A text that is not empty.
    func text(_ body: (String) -> CommentDiagnostic?) -> CommentDiagnostic? {
        guard case .text(let text)? = value?.content, !text.isEmpty else { return unsuitable }
        return body(text)
    }

    /// A stored name.
    func name(_ body: (String) -> Void) -> CommentDiagnostic? {
        text { text in
            body(text)
            return nil
        }
    }

    /// A name, or several in an array.
    func names(_ body: ([String]) -> Void) -> CommentDiagnostic? {
        let values: [CommentValue]
        switch value?.content {
        case .array(let elements): values = elements
        default: values = value.map { [$0] } ?? []
        }
        let names = values.compactMap { value -> String? in
            guard case .text(let text) = value.content, !text.isEmpty else { return nil }
            return text
        }
        guard !names.isEmpty, names.count == values.count else { return unsuitable }
        body(names)
        return nil
    }

    /// The name of a property, alone or as `property` of an object that may have `seconds`.
    func expiry(_ body: (EntityAnnotations.Expiry) -> Void) -> CommentDiagnostic? {
        var name: String?
        var seconds: UInt32?
        switch value?.content {
        case .text(let text): name = text
        case .object(let members):
            for (key, value) in members {
                switch (key.text, value.content) {
                case ("property", .text(let text)) where name == nil: name = text
                case ("seconds", .number(let text)) where seconds == nil:
                    guard let number = UInt32(text) else { return unsuitable }
                    seconds = number
                default: return unsuitable
                }
            }
        default: break
        }
        guard let name, !name.isEmpty else { return unsuitable }
        body(EntityAnnotations.Expiry(name: name, after: seconds.map { ".seconds(\($0))" }))
        return nil
    }

    /// A number from 1 up.
    func uid(_ body: (UInt64) -> Void) -> CommentDiagnostic? {
        guard let value else { return .uidMissing }
        guard case .number(let text) = value.content, let number = UInt64(text), number > 0 else {
            return unsuitable
        }
        body(number)
        return nil
    }

    /// The parameters of a vector index, as arguments in code.
    func vector(_ body: ([String]) -> Void) -> CommentDiagnostic? {
        guard case .object(let members)? = value?.content else { return unsuitable }
        // In the order of the arguments.
        var written: [String?] = [nil, nil, nil, nil]
        // Parameters of ObjectBox's own index.
        var unused: [String] = []
        for (key, value) in members {
            switch (key.text, value.content) {
            case ("dimensions", .number(let text)) where UInt16(text) != nil:
                written[0] = "dimensions: \(text)"
            case ("distanceType", .text(let text))
            where ["euclidean", "cosine", "dotProduct", "geo"].contains(text):
                written[1] = "metric: .\(text)"
            case ("neighborsPerNode", .number(let text)) where UInt16(text) != nil:
                written[2] = "neighborsPerNode: \(text)"
            case ("indexingSearchCount", .number(let text)) where UInt16(text) != nil:
                written[3] = "indexingSearchCount: \(text)"
            case ("flags", .text), ("reparationBacklinkProbability", .number),
                ("vectorCacheHintSizeKB", .number):
                unused.append(key.text)
            default: return unsuitable
            }
        }
        guard written[0] != nil else { return unsuitable }
        body(written.compactMap(\.self))
        guard !unused.isEmpty else { return nil }
        return .withoutEffect(
            unused.joined(separator: "', '"), reason: "it tunes ObjectBox's own index")
    }

    /// The texts of an object whose keys are all in `keys`, without duplicates.
    func texts(of keys: Set<String>) -> [String: String]? {
        guard case .object(let members)? = value?.content else { return nil }
        var texts: [String: String] = [:]
        for (key, value) in members {
            guard keys.contains(key.text), texts[key.text] == nil,
                case .text(let text) = value.content
            else { return nil }
            texts[key.text] = text
        }
        return texts
    }
}
#endif

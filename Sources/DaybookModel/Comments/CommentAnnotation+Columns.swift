#if Macros
/// The values of annotations of types that name several properties.
extension CommentAnnotation {
    /// Reads property names in an array or in a comma-separated text, alone or as `properties` of
    /// an object that may have an `option` with one of `choices`. Otherwise returns the error.
    func columns(
        option: String? = nil, among choices: Set<String> = [],
        _ body: (_ names: [String], _ option: String?) -> Void
    ) -> CommentDiagnostic? {
        guard case .object(let members)? = value?.content else {
            guard let names = value?.propertyNames else { return unsuitableAtType }
            body(names, nil)
            return nil
        }
        var names: [String]?
        var chosen: String?
        for (key, value) in members {
            switch (key.text, value.content) {
            case ("properties", _) where names == nil: names = value.propertyNames ?? []
            case (option, .text(let text)) where chosen == nil && choices.contains(text):
                chosen = text
            default: return unsuitableAtType
            }
        }
        guard let names, !names.isEmpty else { return unsuitableAtType }
        body(names, chosen)
        return nil
    }

    private var unsuitableAtType: CommentDiagnostic {
        let known = CommentName(name.text)
        return .unsuitable(name.text, form: known?.formAtType ?? known?.form ?? name.text)
    }
}

extension CommentValue {
    /// At least one name, none of them empty.
    fileprivate var propertyNames: [String]? {
        var names: [String] = []
        switch content {
        case .array(let values):
            for value in values {
                guard case .text(let text) = value.content else { return nil }
                names.append(text)
            }
        case .text(let text):
            names = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        case .number, .object: return nil
        }
        return names.isEmpty || names.contains("") ? nil : names
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
#endif

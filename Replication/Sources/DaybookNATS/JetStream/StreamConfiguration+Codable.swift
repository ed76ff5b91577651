extension StreamConfiguration: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, subjects, description, storage, retention, discard, mirror, sources
        case replicaCount = "num_replicas"
        case sizeBytesMax = "max_bytes"
        case messageCountMax = "max_msgs"
        case messageSizeBytesMax = "max_msg_size"
        case ageMax = "max_age"
        case deniesDelete = "deny_delete"
        case deniesPurge = "deny_purge"
        case allowsDirect = "allow_direct"
        case allowsAtomicBatches = "allow_atomic"
        case duplicateWindow = "duplicate_window"
    }

    /// Reads JetStream's document. Unknown fields are ignored.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try fields.decode(String.self, forKey: .name),
            subjects: try fields.decodeIfPresent([String].self, forKey: .subjects) ?? [])
        description = try fields.decodeIfPresent(String.self, forKey: .description)
        replicaCount = try fields.decodeIfPresent(Int.self, forKey: .replicaCount) ?? 1
        storage = try fields.decodeIfPresent(Storage.self, forKey: .storage) ?? .file
        retention = try fields.decodeIfPresent(Retention.self, forKey: .retention) ?? .limits
        discard = try fields.decodeIfPresent(Discard.self, forKey: .discard) ?? .old
        // The server writes -1 or 0 for no limit.
        sizeBytesMax = try fields.limit(.sizeBytesMax)
        messageCountMax = try fields.limit(.messageCountMax)
        messageSizeBytesMax = try fields.limit(.messageSizeBytesMax).map { Int(clamping: $0) }
        ageMax = try fields.limit(.ageMax).map { .nanoseconds($0) }
        deniesDelete = try fields.decodeIfPresent(Bool.self, forKey: .deniesDelete) ?? false
        deniesPurge = try fields.decodeIfPresent(Bool.self, forKey: .deniesPurge) ?? false
        allowsDirect = try fields.decodeIfPresent(Bool.self, forKey: .allowsDirect) ?? false
        allowsAtomicBatches =
            try fields.decodeIfPresent(Bool.self, forKey: .allowsAtomicBatches) ?? false
        duplicateWindow = .nanoseconds(try fields.limit(.duplicateWindow) ?? 0)
        mirror = try fields.decodeIfPresent(Source.self, forKey: .mirror)
        sources = try fields.decodeIfPresent([Source].self, forKey: .sources) ?? []
    }

    /// Writes JetStream's document.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        if !subjects.isEmpty { try fields.encode(subjects, forKey: .subjects) }
        try fields.encodeIfPresent(description, forKey: .description)
        try fields.encode(replicaCount, forKey: .replicaCount)
        try fields.encode(storage, forKey: .storage)
        try fields.encode(retention, forKey: .retention)
        try fields.encode(discard, forKey: .discard)
        try fields.encode(sizeBytesMax ?? -1, forKey: .sizeBytesMax)
        try fields.encode(messageCountMax ?? -1, forKey: .messageCountMax)
        try fields.encode(messageSizeBytesMax ?? -1, forKey: .messageSizeBytesMax)
        try fields.encode(ageMax?.nanosecondCount ?? 0, forKey: .ageMax)
        try fields.encode(deniesDelete, forKey: .deniesDelete)
        try fields.encode(deniesPurge, forKey: .deniesPurge)
        try fields.encode(allowsDirect, forKey: .allowsDirect)
        // An old server refuses the field, so it is sent only if it is set.
        if allowsAtomicBatches { try fields.encode(true, forKey: .allowsAtomicBatches) }
        if mirror == nil {
            try fields.encode(duplicateWindow.nanosecondCount, forKey: .duplicateWindow)
        }
        try fields.encodeIfPresent(mirror, forKey: .mirror)
        if !sources.isEmpty { try fields.encode(sources, forKey: .sources) }
    }
}

extension KeyedDecodingContainer {
    /// Returns a limit above zero; nil for a field that is missing, zero or negative.
    fileprivate func limit(_ key: Key) throws -> Int64? {
        guard let value = try decodeIfPresent(Int64.self, forKey: key), value > 0 else {
            return nil
        }
        return value
    }
}

extension StreamConfiguration.Source: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case startSequence = "opt_start_seq"
        case filterSubject = "filter_subject"
        case external
    }

    private struct External: Codable {
        var api: String
    }

    /// Reads JetStream's document.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(name: try fields.decode(String.self, forKey: .name))
        startSequence = try fields.decodeIfPresent(UInt64.self, forKey: .startSequence)
        filterSubject = try fields.decodeIfPresent(String.self, forKey: .filterSubject)
        let external = try fields.decodeIfPresent(External.self, forKey: .external)
        let tokens = external?.api.split(separator: ".") ?? []
        domain = tokens.count == 3 && tokens[2] == "API" ? String(tokens[1]) : nil
    }

    /// Writes JetStream's document.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encodeIfPresent(startSequence, forKey: .startSequence)
        try fields.encodeIfPresent(filterSubject, forKey: .filterSubject)
        try fields.encodeIfPresent(domain.map { External(api: "$JS.\($0).API") }, forKey: .external)
    }
}

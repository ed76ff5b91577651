import DaybookBytes
import DaybookEngine
import DaybookRecords

/// A record of an import: its values, and the targets of its relations.
struct ImportRecord {
    /// The targets of a relation: ids, or values of a unique property.
    struct Links {
        var relation: Schema.Relation
        var key: ImportPlan.Key?
        var targets: [RowValue]
        /// The key of each target in a map of objects.
        var keys: [String]?
    }

    let line: Int
    var id: UInt64 = 0
    var values: [String: RowValue] = [:]
    var links: [Links] = []
}

/// Reads the records of a text.
struct ImportRecords {
    private enum Reader {
        case csv(CSVReader, targets: [ImportPlan.Target])
        case lines(LineSource)
    }

    private let plan: ImportPlan
    private let values: ImportedValue
    private var reader: Reader
    /// The meanings of the members of JSON objects that were looked up.
    private var targets: [String: ImportPlan.Target] = [:]
    /// The line of the last record.
    private(set) var line = 1

    /// Reads the names of a CSV text. Throws `.invalidArgument` for unknown ones, `.invalidValue`
    /// for a text without valid names, and the errors of reading.
    init(
        _ source: ByteSource, _ format: ExchangeFormat, _ plan: ImportPlan, _ schemas: SchemaTable,
        lengthBytesMax: Int
    ) throws(DaybookError) {
        self.plan = plan
        values = ImportedValue(schemas)
        var source = source
        let isMarkWhole = try source.skipByteOrderMark()
        switch format {
        case .jsonLines: reader = .lines(LineSource(source, lengthBytesMax: lengthBytesMax))
        case .csv:
            var csv = CSVReader(source, lengthBytesMax: lengthBytesMax)
            guard isMarkWhole, let header = try csv.next(), header.problem == nil else {
                throw Self.noNames
            }
            var names: [String] = []
            for field in header.fields {
                guard let name = header.text(field) else { throw Self.noNames }
                names.append(name)
            }
            reader = .csv(csv, targets: try plan.targets(of: names))
        }
    }

    /// The number of bytes that were read.
    var byteCount: Int {
        switch reader {
        case .csv(let csv, _): csv.source.byteCount
        case .lines(let lines): lines.source.byteCount
        }
    }

    /// The next record; nil at the end of the text.
    ///
    /// Throws the errors of reading, and for a bad record `.invalidValue`, `.invalidArgument` or
    /// `.dumpInvalid`; the next call continues with the next record.
    mutating func next() throws(DaybookError) -> ImportRecord? {
        switch reader {
        case .csv(var csv, let targets):
            let found = try Self.next(&csv, columnCount: targets.count)
            reader = .csv(csv, targets: targets)
            guard let found else { return nil }
            line = found.line
            return try record(found, targets)
        case .lines(var lines):
            let found = try Self.next(&lines)
            reader = .lines(lines)
            guard let found else { return nil }
            line = found.number
            return try record(found)
        }
    }

    /// The next record that is not blank. A blank line is null in a text with one column.
    private static func next(
        _ csv: inout CSVReader, columnCount: Int
    ) throws(DaybookError) -> CSVRecord? {
        while let record = try csv.next() {
            if columnCount == 1 || !record.isBlank { return record }
        }
        return nil
    }

    private static func next(_ lines: inout LineSource) throws(DaybookError) -> LineSource.Line? {
        while let line = try lines.next() {
            if !line.isBlank { return line }
        }
        return nil
    }

    private static var noNames: DaybookError {
        DaybookError(
            .invalidValue,
            "The text does not begin with the names of its columns in UTF-8. Write them in its"
                + " first line.",
            details: ["line": "1"])
    }

    private static func bad(_ reason: String) -> DaybookError {
        DaybookError(.invalidValue, reason)
    }

    // MARK: CSV

    private func record(
        _ found: CSVRecord, _ targets: [ImportPlan.Target]
    ) throws(DaybookError) -> ImportRecord {
        if let problem = found.problem { throw Self.bad(problem) }
        guard found.fields.count == targets.count else {
            throw Self.bad(
                "the record has \(found.fields.count) fields, and the first line has"
                    + " \(targets.count) names")
        }
        var record = ImportRecord(line: found.line)
        for (field, target) in zip(found.fields, targets) {
            if case .ignored = target { continue }
            guard let text = found.text(field) else {
                throw Self.bad("a field is not well-formed UTF-8")
            }
            try read(text, isQuoted: field.isQuoted, target, into: &record)
        }
        return record
    }

    private func read(
        _ text: String, isQuoted: Bool, _ target: ImportPlan.Target,
        into record: inout ImportRecord
    ) throws(DaybookError) {
        switch target {
        case .ignored: break
        case .id:
            if !text.isEmpty { record.id = try Self.id(try number(text)) }
        case .property(let field):
            record.values[field.name] = try values.value(
                text, isQuoted: isQuoted, field.shape, of: field.name)
        case .link(let relation, let key):
            var targets: [RowValue] = []
            if relation.type == .toOne {
                let target = try self.target(text, isQuoted: isQuoted, relation, key)
                if !target.isNull { targets = [target] }
            } else if !text.isEmpty {
                record.links.append(try links(try JSONValue.read(text), relation, key))
                return
            }
            record.links.append(
                ImportRecord.Links(relation: relation, key: key, targets: targets))
        }
    }

    /// The target of a to-one relation: an id, or a value of a unique property.
    private func target(
        _ text: String, isQuoted: Bool, _ relation: Schema.Relation, _ key: ImportPlan.Key?
    ) throws(DaybookError) -> RowValue {
        guard let key else { return text.isEmpty ? .null : try number(text) }
        // An empty field is no target, even if the unique property cannot be null.
        if text.isEmpty, !isQuoted { return .null }
        return try values.value(text, isQuoted: isQuoted, key.field.shape, of: relation.name)
    }

    private func number(_ text: String) throws(DaybookError) -> RowValue {
        guard let number = Int128(text) else {
            throw Self.bad("'\(text.prefix(50))' is not the id of an object")
        }
        return .integer(number)
    }

    // MARK: JSON

    private mutating func record(_ found: LineSource.Line) throws(DaybookError) -> ImportRecord {
        guard !found.isTooLong else {
            throw Self.bad("the line is longer than \(found.bytes.count) bytes")
        }
        var json = JSONReader(found.bytes.span)
        let value = try JSONValue.read(&json)
        try json.end()
        guard case .map(let members) = value else {
            throw Self.bad("the line is not a JSON object")
        }
        var record = ImportRecord(line: found.number)
        var seen: Set<String> = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let target = try target(of: name)
            if let name = target.name, !seen.insert(name).inserted { throw plan.repeated(name) }
            try read(value, target, into: &record)
        }
        return record
    }

    private mutating func target(of name: String) throws(DaybookError) -> ImportPlan.Target {
        if let known = targets[name] { return known }
        let target = try plan.target(of: name)
        targets[name] = target
        return target
    }

    private func read(
        _ value: RowValue, _ target: ImportPlan.Target, into record: inout ImportRecord
    ) throws(DaybookError) {
        switch target {
        case .ignored: break
        case .id: if !value.isNull { record.id = try Self.id(value) }
        case .property(let field):
            record.values[field.name] = try values.value(value, field.shape, of: field.name)
        case .link(let relation, let key):
            record.links.append(try links(value, relation, key))
        }
    }

    /// The targets of a relation: a list, a single value, or a map of objects by key.
    private func links(
        _ value: RowValue, _ relation: Schema.Relation, _ key: ImportPlan.Key?
    ) throws(DaybookError) -> ImportRecord.Links {
        var links = ImportRecord.Links(relation: relation, key: key, targets: [])
        switch value {
        case .list(let elements): links.targets = elements
        case .map(let members) where relation.type == .keyedObjects:
            let members = members.sorted { $0.key < $1.key }
            (links.keys, links.targets) = (members.map(\.key), members.map(\.value))
        default: if !value.isNull { links.targets = [value] }
        }
        guard let key else { return links }
        links.targets = try links.targets.map { target throws(DaybookError) in
            try values.value(target, key.field.shape, of: relation.name)
        }
        return links
    }

    /// The number of an object. Throws `.invalidValue` for any other value.
    static func id(_ value: RowValue) throws(DaybookError) -> UInt64 {
        guard case .integer(let number) = value, number > 0, number <= WriteTransaction.idMax else {
            throw bad("\(value.shown) is not the id of an object")
        }
        return UInt64(number)
    }
}

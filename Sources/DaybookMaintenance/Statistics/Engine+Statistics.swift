package import DaybookBytes
package import DaybookEngine
import DaybookRecords
import DaybookLog

extension Engine {
    /// Returns counts and sizes of the store. Cost: a read of the active segment and of two other
    /// frames; the rest of the log is not read. Throws `.inputOutput`, `.interrupted`,
    /// `.corruption`, `.closed`.
    package func statistics(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> StoreStatistics {
        try requireOpen()
        let manifest = log.manifest
        var statistics = StoreStatistics(
            store: log.store, createdMicroseconds: manifest.createdMicroseconds,
            formatVersion: LogFormat.version, generation: manifest.generation,
            historyFloor: manifest.historyFloor)
        statistics.segments = manifest.sealed.map {
            StoreStatistics.SegmentLine($0, $0.isBlocked ? .compressed : .sealed)
        }
        statistics.segments.append(try activeLine(control))
        statistics.first = try firstMoment()
        statistics.last = try lastMoment()
        statistics.entities = try entityLines()
        statistics.relations = try relationLines()
        try DirectoryListing(log).fill(&statistics)
        statistics.writtenBytes = writtenBytes
        return statistics
    }

    private func activeLine(
        _ control: OperationControl
    ) throws(DaybookError) -> StoreStatistics.SegmentLine {
        let entry = log.activeEntry()
        var line = StoreStatistics.SegmentLine(entry, .active)
        // Opening starts after the part that a snapshot covers, so its counts may be incomplete.
        line.rawBytes = 0
        line.recordCount = 0
        var scanner = try log.scan(entry)
        while let frame = try scanner.next() {
            try control.check()
            control.progress(Double(frame.end) / Double(max(1, entry.length)))
            line.rawBytes += frame.header.rawLength
            line.recordCount += Int(frame.header.recordCount)
        }
        return line
    }

    private func firstMoment() throws(DaybookError) -> TransactionMoment? {
        var found: TransactionMoment?
        try forEachTransaction(matching: EventFilter(kinds: [])) { transaction in
            found = transaction.moment
            return false
        }
        return found
    }

    private func lastMoment() throws(DaybookError) -> TransactionMoment? {
        var found: TransactionMoment?
        let range = HistoryRange(from: .sequence(readableSequence))
        try forEachTransaction(in: range, matching: EventFilter(kinds: [])) { transaction in
            found = transaction.moment
            return true
        }
        return found
    }

    private func entityLines() throws(DaybookError) -> [StoreStatistics.EntityLine] {
        let schema = schemas.schema
        let view = try view(until: nil)
        var lines: [StoreStatistics.EntityLine] = []
        for entity in schema.entities {
            let counts = try view.withTrees { trees throws(DaybookError) in
                try trees.get(IndexTree.entities, UInt64(entity.id))
            }
            lines.append(
                StoreStatistics.EntityLine(
                    name: entity.name, number: entity.id, objectCount: counts?.second ?? 0,
                    nextId: counts?.first ?? 1, layoutCount: entity.layoutIDs.count,
                    fieldCount: schema.currentLayout(ofEntity: entity.id)?.fields.count ?? 0))
        }
        return lines
    }

    private func relationLines() throws(DaybookError) -> [StoreStatistics.RelationLine] {
        let schema = schemas.schema
        let view = try view(until: nil)
        var lines: [StoreStatistics.RelationLine] = []
        for relation in schema.relations {
            let number = relation.relationID
            let tree =
                relation.type.hasPositions
                ? IndexTree.list(of: number) : IndexTree.links(of: number)
            let count = try view.withTrees { trees throws(DaybookError) in try trees.count(tree) }
            lines.append(
                StoreStatistics.RelationLine(
                    name: schema.relationName(number), number: number, type: relation.type.name,
                    targetName: schema.entity(relation.targetEntityID)?.name ?? "",
                    linkCount: count))
        }
        return lines
    }
}

extension StoreStatistics.SegmentLine {
    fileprivate init(_ entry: SegmentEntry, _ state: State) {
        self.init(
            number: entry.number, state: state, firstSequence: entry.firstSequence,
            lastSequence: entry.lastSequence, lengthBytes: entry.length, rawBytes: entry.rawBytes,
            recordCount: entry.recordCount)
    }
}

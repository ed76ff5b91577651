import DaybookEngine
import DaybookRecords
import DaybookMaintenance

/// The statistics of a store as JSON.
enum StatisticsText {
    static func write(_ statistics: StoreStatistics, to text: inout JSONText) {
        text.beginObject()
        text.member("store", String(describing: statistics.store))
        text.name("created")
        text.moment(microseconds: Int64(clamping: statistics.createdMicroseconds))
        text.member("format", statistics.formatVersion)
        text.member("generation", statistics.generation)
        moment("first", statistics.first, &text)
        moment("last", statistics.last, &text)
        text.member("historyFloor", statistics.historyFloor)
        text.member("logBytes", statistics.logBytes)
        text.member("logRawBytes", statistics.logRawBytes)
        text.list("entities", statistics.entities, entity)
        text.list("relations", statistics.relations, relation)
        text.list("segments", statistics.segments, segment)
        text.list("snapshots", statistics.snapshots, snapshot)
        text.list("quarantine", statistics.quarantine) { file, text in
            text.member("file", file.name)
            text.member("bytes", file.lengthBytes)
        }
        files(statistics.fileBytes, &text)
        text.endObject()
    }

    private static func moment(
        _ name: String, _ moment: TransactionMoment?, _ text: inout JSONText
    ) {
        text.name(name)
        guard let moment else { return text.null() }
        text.beginObject()
        text.member("sequence", moment.sequence)
        text.name("time")
        text.moment(microseconds: moment.timeMicroseconds)
        text.endObject()
    }

    private static func entity(_ entity: StoreStatistics.EntityLine, _ text: inout JSONText) {
        text.member("entity", entity.name)
        text.member("number", entity.number)
        text.member("objects", entity.objectCount)
        text.member("nextId", entity.nextId)
        text.member("layouts", entity.layoutCount)
        text.member("fields", entity.fieldCount)
    }

    private static func relation(
        _ relation: StoreStatistics.RelationLine, _ text: inout JSONText
    ) {
        text.member("relation", relation.name)
        text.member("number", relation.number)
        text.member("type", relation.type)
        text.member("target", relation.targetName)
        text.member("links", relation.linkCount)
    }

    private static func segment(_ segment: StoreStatistics.SegmentLine, _ text: inout JSONText) {
        text.member("segment", segment.number)
        text.member("state", segment.state.rawValue)
        text.member("firstSequence", segment.firstSequence)
        text.member("lastSequence", segment.lastSequence)
        text.member("bytes", segment.lengthBytes)
        text.member("rawBytes", segment.rawBytes)
        text.member("records", segment.recordCount)
    }

    private static func snapshot(_ snapshot: StoreStatistics.SnapshotLine, _ text: inout JSONText) {
        text.member("sequence", snapshot.sequence)
        text.member("bytes", snapshot.lengthBytes)
        text.member("usable", isTrue: snapshot.rejection == nil)
        if snapshot.isBase { text.member("base", isTrue: true) }
        if let rejection = snapshot.rejection { text.member("reason", rejection) }
    }

    private static func files(_ bytes: StoreStatistics.FileBytes, _ text: inout JSONText) {
        text.name("fileBytes")
        text.beginObject()
        text.member("segments", bytes.segments)
        text.member("snapshots", bytes.snapshots)
        text.member("manifests", bytes.manifests)
        text.member("quarantine", bytes.quarantine)
        text.member("other", bytes.other)
        text.member("total", bytes.total)
        text.endObject()
    }
}

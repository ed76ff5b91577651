import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookMaintenance

/// Writes one line per object, for `replay --state` and `query`.
struct ObjectLines {
    let run: CommandRun

    /// Writes the selected objects of a state, `limit` lines at most.
    func write(
        _ engine: Engine, until point: HistoryPoint?, _ selection: EntitySelection?, limit: Int
    ) throws(DaybookError) {
        guard limit > 0 else { return }
        try engine.forEachObject(
            until: point, entity: selection?.name, id: selection?.id, run.control
        ) { object throws(DaybookError) in
            try write(object)
            return run.lineCount < limit
        }
    }

    func write(_ object: StoredObject) throws(DaybookError) {
        try run.line { text throws(DaybookError) in
            text.beginObject()
            text.member("entity", object.entityName)
            text.member("id", object.id)
            text.member("sequence", object.sequence)
            text.member("layout", object.layout)
            text.name("row")
            try object.appendRow(to: &text)
            try Self.links(of: object, to: &text)
            text.endObject()
        }
    }

    /// Writes the targets of the object's relations; nothing for an object without links.
    private static func links(
        of object: StoredObject, to text: inout JSONText
    ) throws(DaybookError) {
        let links = try object.links()
        guard !links.isEmpty else { return }
        text.name("links")
        text.beginObject()
        for (name, targets) in links {
            text.name(name)
            text.targets(targets, targets.ids.indices)
        }
        text.endObject()
    }
}

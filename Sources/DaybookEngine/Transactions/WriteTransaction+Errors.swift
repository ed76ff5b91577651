package import DaybookBytes
import DaybookRecords

extension WriteTransaction {
    package static func notFound(_ id: UInt64) -> DaybookError {
        DaybookError(
            .notFound, "There is no object \(id). Use mode .put to insert it.",
            details: ["id": String(id)])
    }

    static func idExists(_ id: UInt64) -> DaybookError {
        DaybookError(
            .idExists,
            "An object with id \(id) already exists. Use mode .put to replace it, or id 0 for a new"
                + " object.",
            details: ["id": String(id)])
    }

    static func idUnknown(_ id: UInt64, _ next: UInt64) -> DaybookError {
        DaybookError(
            .idUnknown,
            "Id \(id) was never assigned (the next is \(next)). Put new objects with id 0, or"
                + " declare the entity's ids assignable.",
            details: ["id": String(id), "nextId": String(next)])
    }

    package static func idInvalid(_ id: UInt64) -> DaybookError {
        DaybookError(
            .idInvalid, "Id \(id) is outside 1 ... \(idMax).", details: ["id": String(id)])
    }

    static func uniqueViolation(
        _ index: IndexPlan.Index, _ plan: IndexPlan, value: String, by owner: UInt64
    ) -> DaybookError {
        let entity = plan.layout.layout.entityName
        let properties = plan.columnNames(index)
        return DaybookError(
            .uniqueViolation,
            "Object \(owner) of \(entity) already has the value \(value) of \(properties), which is"
                + " unique. Change that object first, or put this one with another value.",
            details: [
                "entity": entity, "property": properties, "value": value,
                "conflictingId": String(owner),
            ])
    }

    static func duplicate(
        _ index: IndexPlan.Index, _ plan: IndexPlan, value: String, _ one: UInt64, _ other: UInt64
    ) -> DaybookError {
        let entity = plan.layout.layout.entityName
        let properties = plan.columnNames(index)
        return DaybookError(
            .uniqueViolation,
            "\(properties) of \(entity) cannot be unique: the objects \(one) and \(other) both have"
                + " the value \(value). Change one of them first, with the previous declaration.",
            details: [
                "entity": entity, "property": properties, "value": value,
                "id": String(other), "conflictingId": String(one),
            ])
    }
}

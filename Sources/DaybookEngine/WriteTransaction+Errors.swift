package import DaybookBytes

extension WriteTransaction {
    package static func notFound(_ id: UInt64) -> DaybookError {
        DaybookError(
            .notFound, "There is no object \(id). Use mode .put to insert it.",
            details: ["id": String(id)])
    }

    static func idExists(_ id: UInt64) -> DaybookError {
        DaybookError(
            .idExists,
            "An object with id \(id) is there already. Use mode .put to replace it, or id 0 for a"
                + " new one.",
            details: ["id": String(id)])
    }

    static func idUnknown(_ id: UInt64, _ next: UInt64) -> DaybookError {
        DaybookError(
            .idUnknown,
            "Id \(id) was never given out (the next is \(next)). Put new objects with id 0, or"
                + " declare the entity's ids assignable.",
            details: ["id": String(id), "nextId": String(next)])
    }

    static func idInvalid(_ id: UInt64) -> DaybookError {
        DaybookError(
            .idInvalid, "Id \(id) is outside 1 ... \(idMax).", details: ["id": String(id)])
    }
}

import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookRows

extension StoreTypes {
    /// The schema of the store, with the declarations of these types.
    func schema() throws(DaybookError) -> StoreSchema {
        try requireOpen()
        let schema = engine.schemas.schema
        return StoreSchema(schema) { entity, property in
            guard let layout = declaredLayout(ofEntity: entity) else { return false }
            guard let property else { return true }
            return layout.fields.contains { $0.propertyID == property && !$0.isUndeclared }
        }
    }

    func requireOpen() throws(DaybookError) {
        guard engine.isOpen else { throw Self.closed }
    }
}

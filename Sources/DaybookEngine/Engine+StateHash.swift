package import DaybookBytes
import DaybookIndex
import DaybookPages

extension Engine {
    /// One number for all that readers see now: two stores with the same number give the same
    /// answers. Cost: a walk over all trees.
    package func stateHash() throws(DaybookError) -> UInt64 {
        try requireOpen()
        let view = ReadView(slot.pin(), log)
        let schema = schemas.schema
        return try view.reading { reader throws(DaybookError) in
            try StateHash.compute(reader, schema: schema)
        }
    }

    /// The same number worked out from the log alone, folded from its beginning beside the live
    /// trees.
    ///
    /// The store must be at rest for the two to be comparable. Cost: a read of the whole log, and
    /// memory for its trees. Throws `.corruption` where the log is damaged.
    package func foldedStateHash() throws(DaybookError) -> UInt64 {
        try requireOpen()
        return try foldedState(OperationControl()).hash()
    }
}

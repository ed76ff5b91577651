package import DaybookBytes
package import DaybookRecords
import DaybookPages

extension QueryAccess {
    /// The totals of the texts in a text index, without those of some objects. Cost: a tree lookup,
    /// and one for each of these objects.
    package func textTotals(
        of index: IndexPlan.Index, without ids: [UInt64]
    ) throws(DaybookError) -> TextTotals {
        try asking(index) { reader throws(DaybookError) in
            var totals = try reader.textTotals(ofIndex: index.indexID)
            for id in ids {
                let count = try reader.wordCount(ofIndex: index.indexID, id)
                guard count > 0 else { continue }
                totals.textCount &-= 1
                totals.wordCount &-= count
            }
            return totals
        }
    }
}

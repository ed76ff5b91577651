import DaybookBytes
import DaybookRecords
import DaybookPages

/// Copies columns of the rows that a scan visits, and caches them by the pages that contain the
/// rows' entries.
struct ColumnLearner {
    private struct Page {
        let name: PageName
        let copy: ColumnCopy
        let firstId: UInt64
        let lastId: UInt64
    }

    private let notes: DerivedPageCache
    private let round: UInt64
    private let budgetBytes: Int
    private let demand: (UInt32) -> ColumnDemand?
    /// The pages whose rows are being visited, ordered by id.
    private var pages: [Page] = []
    /// The index of the last row's page.
    private var place = 0
    /// The positions of a batch's rows among the ids of the page.
    private var places: [Int] = []
    /// Whether the cache has no room left, so that further copies would be useless.
    private var isFull = false
    /// The number of bytes cached since memory was last prepared.
    private var unreadyBytes = ColumnLearner.readyBytes
    /// Memory that is allocated and released to prepare it.
    private var room: [UInt8] = []

    /// The number of bytes to prepare at once. On threads other than the first, glibc's malloc
    /// requests single pages from the kernel. Each call delays the page faults of other threads:
    /// this took a quarter of a first scan. malloc retains up to 128 KiB of free memory at its end.
    private static let readyBytes = 96 << 10

    init(
        _ notes: DerivedPageCache, round: UInt64, budgetBytes: Int,
        _ demand: @escaping (UInt32) -> ColumnDemand?
    ) {
        self.notes = notes
        self.round = round
        self.budgetBytes = budgetBytes
        self.demand = demand
    }

    /// Announces that the rows of all entries of a page follow.
    mutating func expect(
        _ name: PageName, _ entries: ArraySlice<WordEntry>, _ known: RowColumns?
    ) {
        guard !isFull else { return }
        if unreadyBytes >= Self.readyBytes {
            unreadyBytes = 0
            room.reserveCapacity(Self.readyBytes)
            room = []
        }
        var ids: [UInt64] = []
        ids.reserveCapacity(entries.count)
        for entry in entries where !ObjectEntry(entry.value).isRemoved { ids.append(entry.key) }
        guard let first = ids.first, let last = ids.last else {
            let nothing = ColumnCopy([], adding: nil)
            if let columns = nothing.finish() { keep(columns, nil, name) }
            return
        }
        pages.append(
            Page(name: name, copy: ColumnCopy(ids, adding: known), firstId: first, lastId: last))
    }

    /// Copies the demanded columns of rows.
    mutating func take(_ batch: borrowing RowBatch) {
        guard !pages.isEmpty else { return }
        var index = 0
        while index < batch.count {
            let id = batch.id(index)
            guard let found = page(of: id) else {
                index += 1
                continue
            }
            let page = pages[found]
            var end = index + 1
            while end < batch.count, batch.id(end) >= page.firstId, batch.id(end) <= page.lastId {
                end += 1
            }
            page.copy.take(batch, index..<end, &places, demand)
            index = end
        }
    }

    /// The page that contains an object's entry: usually the same as before, or the next.
    private mutating func page(of id: UInt64) -> Int? {
        if place < pages.count, pages[place].firstId <= id {
            if id <= pages[place].lastId { return place }
            let next = place + 1
            if next < pages.count, pages[next].firstId <= id, id <= pages[next].lastId {
                place = next
                return next
            }
        }
        let found = pages.partitioningIndex { $0.lastId >= id }
        guard found < pages.count, pages[found].firstId <= id else { return nil }
        place = found
        return found
    }

    /// Caches the columns of all pages whose rows were visited, and removes the pages.
    mutating func finish() {
        for page in pages {
            guard !isFull else { break }
            if let columns = page.copy.finish() { keep(columns, page.copy.demand, page.name) }
        }
        pages.removeAll(keepingCapacity: true)
        place = 0
    }

    private mutating func keep(_ columns: RowColumns, _ wanted: ColumnDemand?, _ name: PageName) {
        unreadyBytes += columns.byteCount
        if keepNote(columns, name) { return }
        // Without the columns of earlier demands, there may be room.
        isFull = wanted.map { !keepNote(columns.only($0), name) } ?? true
    }

    private func keepNote(_ columns: RowColumns, _ name: PageName) -> Bool {
        notes.keep(
            columns, byteCount: columns.byteCount, on: name, in: round, budgetBytes: budgetBytes)
    }
}

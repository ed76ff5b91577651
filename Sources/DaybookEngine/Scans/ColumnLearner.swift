import DaybookRecords
import DaybookPages

/// Copies columns of the rows that a scan comes by, and notes them with the pages that lead to
/// them.
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
    /// The pages whose rows are under way, in the order of their ids.
    private var pages: [Page] = []
    /// Which of them the last row was of.
    private var place = 0
    /// Where rows of a page are among its ids.
    private var places: [Int] = []
    /// Once there is no room for a note, all copies would be in vain.
    private var isFull = false
    /// How much was noted since memory was made ready.
    private var unreadyBytes = ColumnLearner.readyBytes
    /// What is taken and let go for that.
    private var room: [UInt8] = []

    /// How much memory is made ready at once. On threads beside the first glibc's malloc asks the
    /// kernel for one page after another, a call each that holds up the other threads' page faults:
    /// a quarter of a first scan. It keeps what was free at its end up to 128 KiB.
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

    /// The rows of all entries of a page will come.
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

    /// Copies of rows what is wanted.
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

    /// The page that leads to an object: most often the same as before, or the next.
    private mutating func page(of id: UInt64) -> Int? {
        if place < pages.count, pages[place].firstId <= id {
            if id <= pages[place].lastId { return place }
            let next = place + 1
            if next < pages.count, pages[next].firstId <= id, id <= pages[next].lastId {
                place = next
                return next
            }
        }
        var (low, high) = (0, pages.count)
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].lastId < id { low = middle + 1 } else { high = middle }
        }
        guard low < pages.count, pages[low].firstId <= id else { return nil }
        place = low
        return low
    }

    /// Notes the columns of all pages whose rows have come, and is ready for others.
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
        // Columns that were asked for before may be what there is no room for.
        isFull = wanted.map { !keepNote(columns.only($0), name) } ?? true
    }

    private func keepNote(_ columns: RowColumns, _ name: PageName) -> Bool {
        notes.keep(
            columns, byteCount: columns.byteCount, on: name, in: round, budgetBytes: budgetBytes)
    }
}

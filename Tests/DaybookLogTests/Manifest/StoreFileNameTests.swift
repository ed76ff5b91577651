import DaybookBytes
import DaybookLog
import Testing

@Suite struct StoreFileNameTests {
    private static let names: [StoreFileName] = [
        .lock, .current, .manifest(generation: 7), .segment(firstSequence: 3, number: 9),
        .snapshot(sequence: 12, number: 1), .quarantine,
    ]

    @Test(arguments: names)
    func `every file name round-trips`(name: StoreFileName) {
        #expect(StoreFileName(name.text) == name)
    }

    // After a power failure during the first manifest, opening reported foreign files: temporary
    // files of manifests and snapshots were not recognised.
    @Test(arguments: names)
    func `a temporary file of every name is recognised`(name: StoreFileName) {
        #expect(StoreFileName(name.text + ".tmp") == .temporary(of: name.text))
    }

    @Test(arguments: [
        "", "notes.txt", "manifest", "manifest-7", "manifest-0000000007.bak", "segment-1-2",
        "snapshot-", ".tmp", "notes.tmp", "manifest-x.tmp", "dictionary-00004",
    ])
    func `any other name is foreign`(text: String) {
        #expect(StoreFileName(text) == nil)
    }
}

import DaybookBytes
import DaybookLog
import Testing

@Suite struct StoreFileNameTests {
    private static let names: [StoreFileName] = [
        .lock, .current, .manifest(generation: 7), .segment(firstSequence: 3, number: 9),
        .snapshot(sequence: 12), .quarantine,
    ]

    @Test(arguments: names)
    func `a name is read as it is written`(name: StoreFileName) {
        #expect(StoreFileName(name.text) == name)
    }

    // A power cut while the first manifest was being written left a directory that "held files of
    // others": temporary files of manifests and snapshots were not known as ours.
    @Test(arguments: names)
    func `a temporary file of every name is known as ours`(name: StoreFileName) {
        #expect(StoreFileName(name.text + ".tmp") == .temporary(of: name.text))
    }

    @Test(arguments: [
        "", "notes.txt", "manifest", "manifest-7", "manifest-0000000007.bak", "segment-1-2",
        "snapshot-", ".tmp", "notes.tmp", "manifest-x.tmp", "dictionary-00004",
    ])
    func `any other name is none of ours`(text: String) {
        #expect(StoreFileName(text) == nil)
    }
}

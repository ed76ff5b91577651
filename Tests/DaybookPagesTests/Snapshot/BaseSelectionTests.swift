import DaybookTesting
import DaybookTestSupport
import Testing

@testable import DaybookPages

/// The choice of the older files that a snapshot uses.
struct BaseSelectionTests {
    private func used(
        _ files: [(length: Int, live: Int)], new: Int, minimum: Int = 1
    ) -> [Bool] {
        BaseSelection(
            lengths: files.map(\.length), liveLengths: files.map(\.live), newLength: new,
            minimum: minimum
        ).isUsed
    }

    @Test func `a file is used if half of it is in use and it is twice as long as the new one`() {
        #expect(used([], new: 10) == [])
        #expect(used([(1000, 900)], new: 500) == [true])
        #expect(used([(1000, 900)], new: 501) == [false])
        #expect(used([(1000, 500)], new: 10) == [true])
        #expect(used([(1000, 499)], new: 10) == [false])
        #expect(used([(1000, 900)], new: 10, minimum: 1000) == [true])
        #expect(used([(1000, 900)], new: 10, minimum: 1001) == [false])
        #expect(used([(0, 700), (5000, 5000)], new: 10) == [false, true])
    }

    @Test func `copied groups count for the length of the new file`() {
        // The second file is too short for the new one, and together they are too long for the
        // third.
        #expect(
            used([(10_000, 9000), (1000, 900), (1500, 1400)], new: 600) == [true, false, false])
        #expect(
            used([(3000, 2900), (1000, 900), (1500, 1400)], new: 600) == [false, false, false])
        // A file with little in use is copied, too.
        #expect(used([(10_000, 4000), (7000, 6000)], new: 10) == [false, false])
    }

    @Test func `not more than the maximum number of files are used`() {
        let files = (0..<20).map { (length: 1 << (2 * $0), live: 1 << (2 * $0)) }
        let used = used(files, new: 0)
        #expect(used.count { $0 } == BaseSelection.countMax)
        #expect(used.suffix(BaseSelection.countMax).allSatisfy { $0 })
    }

    /// Groups change at random; each snapshot writes the changed ones.
    @Test(arguments: Seeds.first(4))
    func `the written bytes grow with the changes and the logarithm of the size`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let (groupCount, groupLength, directoryLength) = (4_000, 10_000, 60_000)
        var lengths: [Int] = []
        /// The file of each group.
        var homes: [Int?] = Array(repeating: nil, count: groupCount)
        var (written, changed, countMax) = (0, 0, 0)
        for round in 0..<400 {
            let size = round == 0 ? groupCount : Int.random(in: 1...40, using: &generator)
            for _ in 0..<size { homes[Int.random(in: 0..<groupCount, using: &generator)] = nil }
            if round == 0 { homes = Array(repeating: nil, count: groupCount) }
            var live = Array(repeating: 0, count: lengths.count)
            for case let home? in homes { live[home] += groupLength }
            var length = homes.count { $0 == nil } * groupLength + directoryLength
            changed += length
            let selection = BaseSelection(
                lengths: lengths, liveLengths: live, newLength: length, minimum: 1)
            let isUsed = selection.isUsed
            for index in lengths.indices where !isUsed[index] { length += live[index] }
            written += length
            homes = homes.map { home in home.flatMap { isUsed[$0] ? $0 : nil } ?? lengths.count }
            lengths.append(length)
            let files = isUsed.indices.filter { isUsed[$0] } + [lengths.count - 1]
            countMax = max(countMax, files.count)
            let total = files.reduce(0) { $0 + lengths[$1] }
            #expect(total <= 2 * groupCount * groupLength + 2 * directoryLength, "seed \(seed)")
        }
        // Forty megabytes in files that are each twice as long as the next, down to a directory.
        #expect(countMax <= 11, "seed \(seed)")
        #expect(written < 8 * changed, "seed \(seed): \(written) for \(changed)")
    }
}

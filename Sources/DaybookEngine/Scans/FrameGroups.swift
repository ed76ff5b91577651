import DaybookRecords
import DaybookLog
import DaybookPages

/// Groups entries by the frames that contain their rows.
struct FrameGroups {
    /// Open addressing: a slot contains a group's number plus one; 0 is empty.
    private var slots: [UInt32] = []
    /// The frames, in the order of their first entries.
    private var keys: [UInt64] = []
    /// The group of each entry.
    private(set) var groups: [UInt32] = []
    /// The number of entries in each frame.
    private(set) var sizes: [Int] = []

    /// The number of frames.
    var count: Int { keys.count }

    /// Groups the first `count` entries.
    mutating func gather(_ entries: [WordEntry], count: Int) {
        let slotCount = 1 << (Int.bitWidth - max(1, count).leadingZeroBitCount + 1)
        if slots.count < slotCount {
            slots = [UInt32](repeating: 0, count: slotCount)
        } else {
            for index in slots.indices { slots[index] = 0 }
        }
        keys.removeAll(keepingCapacity: true)
        sizes.removeAll(keepingCapacity: true)
        groups.removeAll(keepingCapacity: true)
        groups.reserveCapacity(count)
        let mask = slots.count - 1
        for index in 0..<count {
            let key = Location(rawValue: entries[index].value.first).frameKey
            let hash = key &* 0x9E37_79B9_7F4A_7C15
            var slot = Int(truncatingIfNeeded: hash >> 32) & mask
            while slots[slot] != 0, keys[Int(slots[slot]) - 1] != key { slot = (slot + 1) & mask }
            if slots[slot] == 0 {
                keys.append(key)
                sizes.append(0)
                slots[slot] = UInt32(keys.count)
            }
            groups.append(slots[slot] - 1)
            sizes[Int(slots[slot]) - 1] += 1
        }
    }

    /// Reorders the entries of ``gather(_:count:)`` so that entries of the same frame are adjacent.
    func sort(_ entries: inout [WordEntry], through scratch: inout [WordEntry]) {
        var starts = [Int](repeating: 0, count: keys.count + 1)
        for (group, size) in sizes.enumerated() { starts[group + 1] = starts[group] + size }
        if scratch.count < entries.count {
            scratch = [WordEntry](repeating: WordEntry(), count: entries.count)
        }
        for (index, group) in groups.enumerated() {
            scratch[starts[Int(group)]] = entries[index]
            starts[Int(group)] += 1
        }
        swap(&entries, &scratch)
    }

    /// Whether the entries are scattered enough over frames to group them by frame. Entries that
    /// were written in order are not scattered, even if each small frame has only a few of them.
    static func areScattered(_ entries: [WordEntry], count: Int) -> Bool {
        var jumps = 0
        for index in stride(from: 1, to: count, by: 1) {
            let before = Location(rawValue: entries[index - 1].value.first).frameKey
            let distance = Location(rawValue: entries[index].value.first).frameKey &- before
            // A step back is a long distance, too.
            if distance > nearby { jumps += 1 }
        }
        return count >= 16 && jumps * 4 > count
    }

    /// The largest distance of frames that probably follow each other: 128 KiB in units of eight.
    private static let nearby: UInt64 = 16 << 10
}

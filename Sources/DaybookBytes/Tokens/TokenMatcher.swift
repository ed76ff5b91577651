/// Finds the longest token at the beginning of some bytes. Tokens can be added at any time.
///
/// Tables of the first four and of the first eight bytes hold the lengths of the tokens that begin
/// with them, so that few lengths are looked up. Tokens of one and two bytes have tables of their
/// own.
struct TokenMatcher {
    private static let prefixBitCount = 16
    /// The bit for tokens of eight bytes.
    private static let eight: UInt32 = 1 << 7
    /// Marks an entry of `pairs` for which there are tokens of three bytes.
    private static let hasThree: UInt32 = 1 << 31

    /// The tokens in the order of their numbers, padded with zeros.
    private(set) var values: [UInt128] = []
    /// The lengths of the tokens in bytes.
    private(set) var lengths: [UInt8] = []
    /// The numbers of the tokens of one byte.
    private var singles = [UInt32](repeating: 0, count: 256)
    /// The numbers of the tokens of two bytes plus one; 0 if there is none.
    private var pairs = [UInt32](repeating: 0, count: 65536)
    /// By a hash of four bytes: bit `n - 1` is set if a token of `n` bytes begins with them.
    private var prefixes = [UInt16](repeating: 0, count: 1 << prefixBitCount)
    /// By a hash of eight bytes: the same for the tokens of eight bytes and more.
    private var longPrefixes = [UInt16](repeating: 0, count: 1 << prefixBitCount)
    /// A hash table of the tokens of three bytes and more. The high half of a slot is a part of the
    /// hash, the low half is the number of the token plus one. Empty slots are 0.
    private var slots: [UInt64]
    private var slotShift: UInt64

    /// Makes an empty matcher with room for `capacity` tokens.
    init(capacity: Int) {
        let bitCount = Int.bitWidth - (2 * max(capacity, 256) - 1).leadingZeroBitCount
        slots = [UInt64](repeating: 0, count: 1 << bitCount)
        slotShift = UInt64(64 - bitCount)
        values.reserveCapacity(capacity)
        lengths.reserveCapacity(capacity)
    }

    /// The number of tokens.
    var count: Int { values.count }

    /// Adds a token, whose number is the count before. Of equal tokens, the first one is found.
    mutating func add(_ value: UInt128, length: Int) {
        let number = UInt32(values.count)
        values.append(value)
        lengths.append(UInt8(length))
        let low = UInt64(truncatingIfNeeded: value)
        switch length {
        case 1: singles[Int(low)] = number
        case 2:
            let entry = pairs[Int(low)]
            if entry & ~Self.hasThree == 0 { pairs[Int(low)] = entry | number + 1 }
        default:
            if length == 3 {
                pairs[Int(low & 0xFFFF)] |= Self.hasThree
            } else {
                let bit: UInt16 = 1 << UInt16(length - 1)
                prefixes[Self.prefix(low)] |= bit
                if length >= 8 { longPrefixes[Self.longPrefix(low)] |= bit }
            }
            insert(value, length: length, number: number)
        }
        if 2 * values.count > slots.count { grow() }
    }

    /// The number of the longest token with at most `lengthMax` bytes at the beginning of `value`.
    /// There must be a token for its first byte, and `lengthMax` must not be 0.
    @inline(__always)
    func longest(_ value: UInt128, lengthMax: Int) -> Int {
        let low = UInt64(truncatingIfNeeded: value)
        let allowed: UInt32 = lengthMax >= 16 ? 0xFFFF : (1 &<< UInt32(lengthMax)) &- 1
        var found = UInt32(prefixes[Self.prefix(low)]) & allowed
        if found >= Self.eight {
            found &= UInt32(longPrefixes[Self.longPrefix(low)]) | (Self.eight &- 1)
        }
        while found != 0 {
            let length = 32 &- found.leadingZeroBitCount
            found &= ~(1 &<< UInt32(length &- 1))
            let number = find(Self.first(length, of: value), length: length)
            if number >= 0 { return number }
        }
        if lengthMax >= 2 {
            let entry = pairs[Int(low & 0xFFFF)]
            if entry & Self.hasThree != 0, lengthMax >= 3 {
                let number = find(UInt128(low & 0xFF_FFFF), length: 3)
                if number >= 0 { return number }
            }
            let number = Int(entry & ~Self.hasThree)
            if number > 0 { return number &- 1 }
        }
        return Int(singles[Int(low & 0xFF)])
    }

    /// The number of the token of three bytes or more with exactly this value and length; -1 if
    /// there is none.
    @inline(__always)
    func find(_ value: UInt128, length: Int) -> Int {
        let hash = Self.hash(value, length: length)
        let mark = hash & 0xFFFF_FFFF
        var index = Int(truncatingIfNeeded: hash &>> slotShift)
        while true {
            let slot = slots[index]
            if slot == 0 { return -1 }
            if slot &>> 32 == mark {
                let number = Int(slot & 0xFFFF_FFFF) &- 1
                if values[number] == value, lengths[number] == length { return number }
            }
            index = (index &+ 1) & (slots.count &- 1)
        }
    }

    /// The first `length` bytes of a value; the other bytes are zero.
    @inline(__always)
    static func first(_ length: Int, of value: UInt128) -> UInt128 {
        value & (UInt128.max &>> UInt128(truncatingIfNeeded: 128 &- 8 &* length))
    }

    private mutating func insert(_ value: UInt128, length: Int, number: UInt32) {
        let hash = Self.hash(value, length: length)
        var index = Int(truncatingIfNeeded: hash &>> slotShift)
        while slots[index] != 0 { index = (index &+ 1) & (slots.count &- 1) }
        slots[index] = hash &<< 32 | UInt64(number + 1)
    }

    private mutating func grow() {
        slots = [UInt64](repeating: 0, count: slots.count * 2)
        slotShift -= 1
        for number in values.indices where lengths[number] >= 3 {
            insert(values[number], length: Int(lengths[number]), number: UInt32(number))
        }
    }

    @inline(__always)
    private static func prefix(_ low: UInt64) -> Int {
        Int((UInt32(truncatingIfNeeded: low) &* 0x9E37_79B1) &>> UInt32(32 &- prefixBitCount))
    }

    @inline(__always)
    private static func longPrefix(_ low: UInt64) -> Int {
        Int((low &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 &- prefixBitCount))
    }

    @inline(__always)
    private static func hash(_ value: UInt128, length: Int) -> UInt64 {
        let low = UInt64(truncatingIfNeeded: value)
        let high = UInt64(truncatingIfNeeded: value &>> 64)
        let mixed = low ^ (high &* 0xC2B2_AE3D_27D4_EB4F) ^ UInt64(length) &<< 56
        return mixed &* 0x9E37_79B9_7F4A_7C15
    }
}

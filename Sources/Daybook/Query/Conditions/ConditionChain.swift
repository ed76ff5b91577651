// Long chains of && and ||, which loops make one by one. Each step copies the list, so a list of
// all of them would take time in the square of their number: a long one has pieces, which are lists
// of the same kind and mean the same.

/// How long a list is before it has pieces, and how long these are.
private let pieceCountMax = 256

extension Array where Element: Combinable {
    /// The list of a chain with another condition behind it.
    func chain(_ other: Element, isAnd: Bool = true) -> [Element] {
        guard let last, count >= pieceCountMax else { return self + [other] }
        guard let piece = last.piece(isAnd) else { return self + [.piece([other], isAnd)] }
        var list = self
        list[list.count - 1] = .piece(piece + [other], isAnd)
        return list
    }

    /// The list of a chain with another condition before it.
    func chain(front other: Element, isAnd: Bool = true) -> [Element] {
        guard let first, count >= pieceCountMax else { return [other] + self }
        guard let piece = first.piece(isAnd) else { return [.piece([other], isAnd)] + self }
        var list = self
        list[0] = .piece([other] + piece, isAnd)
        return list
    }
}

extension Combinable {
    fileprivate static func piece(_ parts: [Self], _ isAnd: Bool) -> Self {
        isAnd ? .and(parts) : .or(parts)
    }

    /// The parts of a piece that has room.
    fileprivate func piece(_ isAnd: Bool) -> [Self]? {
        parts(isAnd: isAnd).flatMap { $0.count < pieceCountMax ? $0 : nil }
    }
}

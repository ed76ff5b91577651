// Long chains of && and ||, which loops create one condition at a time. Each step copies the list,
// so a flat list would cost quadratic time. A long list therefore contains shorter lists of the
// same operator, which are equivalent.

/// The length from which a list contains shorter lists, and the maximum length of these.
private let pieceCountMax = 256

extension Array where Element: Combinable {
    /// Returns the list with a condition appended.
    func chain(_ other: Element, isAnd: Bool = true) -> [Element] {
        guard let last, count >= pieceCountMax else { return self + [other] }
        guard let piece = last.piece(isAnd) else { return self + [.piece([other], isAnd)] }
        var list = self
        list[list.count - 1] = .piece(piece + [other], isAnd)
        return list
    }

    /// Returns the list with a condition prepended.
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

    /// The parts of a shorter list that is not full; nil for any other condition.
    fileprivate func piece(_ isAnd: Bool) -> [Self]? {
        parts(isAnd: isAnd).flatMap { $0.count < pieceCountMax ? $0 : nil }
    }
}

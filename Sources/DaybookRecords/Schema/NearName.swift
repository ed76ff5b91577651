/// Suggests a known name for a name that is unknown, for error messages.
package enum NearName {
    /// The first of the names with the smallest edit distance: at most two, and less than half of
    /// the name's length. Case is ignored. Nil where no name is near enough.
    package static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        let letters = Array(name.lowercased().unicodeScalars.prefix(lengthMax + 1))
        guard letters.count <= lengthMax else { return nil }
        var best: (distance: Int, name: String)?
        for candidate in names {
            let other = Array(candidate.lowercased().unicodeScalars.prefix(lengthMax + 1))
            guard other.count <= lengthMax, abs(other.count - letters.count) <= 2 else { continue }
            let distance = distance(letters, other)
            if distance <= min(2, (letters.count - 1) / 2), distance < best?.distance ?? 3 {
                best = (distance, candidate)
            }
        }
        return best?.name
    }

    /// The suggestion as a question that follows an error message, or an empty string:
    /// ` Did you mean 'size'?`
    package static func question(_ name: String, among names: some Sequence<String>) -> String {
        nearest(to: name, among: names.sorted()).map { " Did you mean '\($0)'?" } ?? ""
    }

    private static let lengthMax = 64

    /// The number of letters to insert, delete, replace or exchange with their neighbour.
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, candidate) in other.enumerated() {
                var cost = last[column] + (letter == candidate ? 0 : 1)
                cost = min(cost, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == candidate {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                next.append(cost)
            }
            (beforeLast, last) = (last, next)
        }
        return last[other.count]
    }
}

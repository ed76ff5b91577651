/// Finds which name was probably meant.
package enum NearName {
    /// Names that are longer are not compared.
    private static let lengthMax = 64

    /// The candidate with the fewest letters to change, if they are few; the first of several in
    /// alphabetical order. Capitals and small letters are the same.
    package static func find(_ name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        guard wanted.count <= lengthMax else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates.sorted() {
            let other = Array(candidate.lowercased().unicodeScalars)
            guard other.count <= lengthMax else { continue }
            let distance = distance(wanted, other)
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, min(2, wanted.count / 3)) else { return nil }
        // One letter that is all there is says nothing.
        return best.distance < max(wanted.count, 2) ? best.name : nil
    }

    /// The same as a question behind an error: ` Did you mean 'size'?`, or nothing.
    package static func question(_ name: String, among candidates: some Sequence<String>) -> String
    {
        find(name, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// The number of letters to insert, remove or replace, or neighbours to swap.
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var last = Array(0...second.count)
        for line in first.indices {
            var row = [line + 1]
            for column in second.indices {
                var least = min(last[column + 1], row[column]) + 1
                least = min(least, last[column] + (first[line] == second[column] ? 0 : 1))
                if line > 0, column > 0, first[line] == second[column - 1],
                    first[line - 1] == second[column]
                {
                    least = min(least, before[column - 1] + 1)
                }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[second.count]
    }
}

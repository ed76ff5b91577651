import DaybookBytes
import DaybookEngine

/// Damages the files of a store of about 64 KiB: truncates each file, flips bits, zeroes, moves and
/// duplicates sectors, removes files, and replaces them with other files. The seed selects the
/// truncations and the bits; `--long` tries all of them. If the store opens, its content must equal
/// the undamaged content. Otherwise the opening must throw a typed error and change nothing. Every
/// 64th such store is repaired, and the result is checked.
struct DamageCampaign {
    private let seed: UInt64
    private let density: Damage.Density
    private let isTraced: Bool
    private var report: CampaignReport
    private var caseCount = 0
    private var openedCount = 0

    init(_ arguments: FaultArguments) {
        seed = arguments.seed
        density = arguments.isLong ? .long : arguments.isQuick ? .quick : .normal
        isTraced = arguments.isTraced
        report = CampaignReport("damage", seed: seed)
    }

    /// Runs the campaign. Returns whether no violation was found.
    mutating func run() -> Bool {
        do {
            let other = try DamageSubject(seed: seed &+ 1, isClosed: true)
            for isClosed in [true, false] {
                let subject = try DamageSubject(seed: seed, isClosed: isClosed)
                damage(subject, other)
            }
        } catch {
            report.violation("seed \(seed)\n\(error)", replay: replay)
        }
        return report.finish(
            "\(caseCount) damaged stores, of which \(openedCount) opened with the right answers")
    }

    private static let casesPerRepair = 64

    private var replay: String { "damage --seed \(seed)" }

    private mutating func damage(_ subject: DamageSubject, _ other: DamageSubject) {
        for path in subject.files.keys.sorted() {
            guard let bytes = subject.files[path] else { continue }
            let before = (caseCount, openedCount)
            Damage.forEach(of: bytes, density, seed: seed) { damage, changed in
                var files = subject.files
                files[path] = changed
                return check(subject, files, "\(path): \(damage)")
            }
            exchange(path, subject, other)
            report.note(
                "\(subject.name), \(path) of \(bytes.count) bytes: \(caseCount - before.0) cases,"
                    + " \(openedCount - before.1) opened")
        }
    }

    /// Removes a file, then replaces it with each other file of the store and with the files of
    /// another store.
    private mutating func exchange(
        _ path: String, _ subject: DamageSubject, _ other: DamageSubject
    ) {
        var files = subject.files
        files[path] = nil
        _ = check(subject, files, "\(path) is missing")
        for (name, bytes) in subject.files where name != path {
            files = subject.files
            files[path] = bytes
            _ = check(subject, files, "\(path) has the content of \(name)")
            files[name] = subject.files[path]
            _ = check(subject, files, "\(path) and \(name) are exchanged")
        }
        for (name, bytes) in other.files {
            files = subject.files
            files[path] = bytes
            _ = check(subject, files, "\(path) has the content of another store's \(name)")
        }
    }

    /// Opens one damaged store. Returns whether to continue.
    private mutating func check(
        _ subject: DamageSubject, _ files: [String: [UInt8]], _ what: @autoclosure () -> String
    ) -> Bool {
        caseCount += 1
        if isTraced { report.note(what()) }
        do {
            let repairs = caseCount % Self.casesPerRepair == 0
            if try subject.check(files, repairs: repairs) { openedCount += 1 }
        } catch {
            report.violation("\(subject.name)\n\(error)\n\(what())", replay: replay)
        }
        return !report.isFull
    }
}

import Daybook
import Foundation

/// The objects and commits of the store for the tests of the page.
struct Contents {
    let store: Store

    /// A red square of one pixel.
    static let picture = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElF"
            + "TkSuQmCC"
    )

    private static let names = ["Ada", "Grace", "Edsger", "Barbara", "Donald", "Frances", "Ken"]
    private static let family = ["Stone", "Rivers", "Field", "Marsh", "Hill", "Brook"]

    /// Writes teams and persons in one commit each, and then small commits of two authors.
    func write(personCount: Int, commitCount: Int) throws {
        let (people, teams) = (store.box(for: Person.self), store.box(for: Team.self))
        try store.write(metadata: ["author": "Ann", "cause": "first import"]) {
            try teams.put(
                ["Storage", "Queries", "Replication", "Documents"].map { Team(title: $0) })
        }
        try store.write(metadata: ["author": "Ann"]) {
            try people.put((0..<personCount).map { Self.person($0) })
        }
        try store.write(metadata: ["author": "Bob", "cause": "teams"]) {
            for id in 2...max(2, personCount) {
                guard var person = try people.get(Id(id)) else { continue }
                person.boss = Reference(targetId: EntityId<Person>(UInt64(id / 2)))
                person.teams = References(ids: [EntityId<Team>(UInt64(id % 4 + 1))])
                try people.put(person)
            }
        }
        for number in 0..<max(0, commitCount - 3) {
            try store.write(metadata: ["author": number % 3 == 0 ? "Bob" : "Ann"]) {
                let id = Id(number * 13 % max(1, personCount) + 1)
                if number % 50 == 49 {
                    _ = try people.remove(id)
                } else if var person = try people.get(id) {
                    person.age = (person.age ?? 0) + 1
                    person.notes = "Changed by commit number \(number)."
                    try people.put(person)
                }
            }
        }
    }

    private static func person(_ number: Int) -> Person {
        var person = Person()
        let first = names[number % names.count]
        let second = family[number / names.count % family.count]
        person.name = "\(first) \(second)"
        person.age = 20 + number * 7 % 50
        person.email = "person\(number + 1)@example.org"
        person.born = Date(timeIntervalSince1970: Double(number * 86_400 * 11))
        if number % 10 == 0 { person.photo = picture }
        return person
    }

    /// Makes a consumer that has acknowledged all commits, and one that is behind.
    func writeConsumers() throws {
        try store.consumer("archive").reset(to: store.position)
        let position = try store.commit(100, changeLimit: 1)?.position
        try store.consumer("mailer").reset(to: position ?? store.position)
    }

    /// Writes objects whose values would do harm on a careless page.
    func writeHostile() throws {
        let texts = [
            "<script>alert('script')</script>", "<img src=x onerror=alert(1)>",
            "\"><svg/onload=alert(1)>", "javascript:alert(1)", "\u{202E}txt.exe\u{202D}",
            "\u{0}\u{1}\u{7}\u{1B}[31mred", String(repeating: "long ", count: 200_000),
            "{{constructor.constructor('alert(1)')()}}", "=HYPERLINK(\"http://example.org\")",
        ]
        try store.write(metadata: [
            "author": "<b>Mallory</b>", "cause": "<script>alert(2)</script>",
        ]) {
            try store.box(for: Hostile.self).put(texts.map { Hostile(text: $0) })
        }
    }
}

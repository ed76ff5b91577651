#if Macros
import DaybookRealm
import Foundation
import Observation

// Models in a module with main-actor isolation by default, as in an app.

enum Mood: Int {
    case calm = 0
    case wild = 1
}

@Embedded struct Address: Equatable {
    var city = ""
    var country: String?
}

@Entity struct Note: Equatable {
    var id: EntityId<Note> = 0
    @Unique var title: String
    var written = Date(timeIntervalSince1970: 0)
    @Convert(default: Mood.calm) var mood: Mood
    var home: Address?
    private var secret = "s"

    init(title: String, mood: Mood) {
        self.title = title
        self.mood = mood
    }
}

@Entity @Observable final class Watched {
    var id: Id = 0
    var name = ""
    var tags: Set<String> = []

    enum Kind: String {
        case plain, fancy
    }
    var kind = Kind.plain
}

@Entity class Dog: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var home: Kennel?
}

@Embedded class Kennel: EmbeddedObject {
    @Persisted var street = ""
}

@Event struct Visit {
    var note: Id
    var moment: Date
}

/// A view model as in an app.
final class Model {
    let store: Store
    private(set) var notes: [Note] = []

    init(store: Store) { self.store = store }

    func add(_ title: String) async throws {
        var note = Note(title: title, mood: .wild)
        note.home = Address(city: "Ulm")
        try await store.box(for: Note.self).put(&note)
        notes = try await store.box(for: Note.self).all()
    }
}
#endif

#if Macros
import Daybook
import Testing

@Entity struct Song: Equatable {
    var id: EntityId<Song> = 0
    var title: String
}

@Entity struct Playlist: Equatable {
    var id: Id = 0
    @Index var favorite: EntityId<Song> = 0
    var opener: EntityId<Song>?
    var songs: [EntityId<Song>] = []
    var ranks: [String: EntityId<Song>] = [:]
}

@Suite struct IdPropertyTests {
    private let directory = TemporaryDirectory()

    @Test func `ids of other objects are properties, in collections too`() throws {
        var store = try Store(directory: directory.url, entities: Song.self, Playlist.self)
        for title in ["One", "Two"] { try store.box(for: Song.self).put(Song(title: title)) }
        let (first, second): (EntityId<Song>, EntityId<Song>) = (1, 2)
        let full = Playlist(
            id: 1, favorite: second, opener: first, songs: [second, first, second],
            ranks: ["best": second])
        let empty = Playlist(id: 2)
        try store.box(for: Playlist.self).put(
            [full, empty].map { list in
                var list = list
                list.id = 0
                return list
            })
        try store.close()
        store = try Store(directory: directory.url, entities: Song.self, Playlist.self)
        defer { try? store.close() }
        let playlists = store.box(for: Playlist.self)
        #expect(try playlists.all() == [full, empty])
        // The removal of the song does not change the property.
        try store.box(for: Song.self).remove(second)
        #expect(try playlists.get(1)?.favorite == second)
    }

    @Test func `conditions compare ids, and use their index`() throws {
        let store = try Store(directory: directory.url, entities: Song.self, Playlist.self)
        defer { try? store.close() }
        let playlists = store.box(for: Playlist.self)
        for favorite in 0..<3 as Range<Id> {
            try playlists.put(
                Playlist(
                    favorite: EntityId(favorite), opener: favorite == 0 ? nil : EntityId(favorite),
                    songs: [EntityId(favorite)]))
        }
        let query = try playlists.query { Playlist.favorite == EntityId<Song>(2) }.build()
        #expect(try query.find().map(\.id) == [3])
        #expect(try query.explain().description.contains("index"))
        #expect(try playlists.query { $0.favorite > 0 }.count() == 2)
        #expect(try playlists.query { $0.opener == nil }.count() == 1)
        #expect(try playlists.query { $0.favorite.isIn([1, 2]) }.count() == 2)
        #expect(try playlists.query { $0.songs.contains(EntityId<Song>(1)) }.count() == 1)
        let descending = playlists.query().ordered(by: \.favorite, flags: .descending)
        #expect(try descending.find().map(\.id) == [3, 2, 1])
    }
}
#endif

import DaybookBytes
import DaybookObjectBox
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// ObjectBox's queue of writes.
@Suite(.timeLimit(.minutes(10))) struct AsyncBoxTests {
    private func open(_ recorder: EventRecorder? = nil) throws -> Store {
        var options = StoreOptions()
        options.observers = recorder.map { [$0.observer()] } ?? []
        return try Store(
            path: "memory:\(UUID())",
            entities: [
                Note.self, Customer.self, Order.self, Student.self, Teacher.self, Guest.self,
            ],
            options: options)
    }

    @Test func `objects have their ids before they are stored`() throws {
        let store = try open()
        let (notes, customers) = (store.box(for: Note.self), store.box(for: Customer.self))
        let ada = Customer("Ada")
        var ids: [EntityId<Note>] = []
        var customer = EntityId<Customer>(0)
        try store.write {
            ids = try notes.async.put(Note(text: "a"), Note(text: "b"))
            ids.append(try notes.async.put(Note(text: "c")))
            customer = try customers.async.put(ada)
            #expect(try notes.isEmpty() && customers.isEmpty())
            #expect(!store.awaitAsyncSubmitted())
        }
        #expect(Set(ids).count == 3 && ada.id == customer.value && ada.id != 0)
        #expect(store.awaitAsyncSubmitted())
        #expect(try ids.map { try notes.get($0)?.text } == ["a", "b", "c"])
        #expect(try customers.get(customer)?.name == "Ada")
        let plain: Id = try notes.async.put(Note(text: "d"))
        #expect(store.awaitAsyncCompleted())
        #expect(try notes.get(plain)?.text == "d")
        store.close()
        #expect(!store.awaitAsyncSubmitted() && !store.awaitAsyncCompleted())
        let closed = #expect(throws: DaybookError.self) {
            try notes.async.put(Note(text: "late"))
        }
        #expect(closed?.code == .closed)
    }

    @Test func `the error of a queued write is an event, and the other writes are stored`() throws {
        let recorder = EventRecorder()
        let store = try open(recorder)
        let customers = store.box(for: Customer.self)
        let ada = Customer("Ada")
        try store.write {
            try customers.async.put(ada, mode: .update)
            try customers.async.put(Customer("Bob"), mode: .insert)
        }
        store.awaitAsyncSubmitted()
        #expect(try customers.all().map(\.name) == ["Bob"])
        // The object has an id now, which is its own.
        try customers.async.put(ada, mode: .insert)
        let other = Customer("Eve")
        other.id = ada.id
        try customers.async.put(other, mode: .insert)
        store.awaitAsyncSubmitted()
        #expect(try customers.all().map(\.name).sorted() == ["Ada", "Bob"])
        #expect(try customers.get(ada.id)?.name == "Ada")
        store.close()
        let failures: [DaybookError.Code] = recorder.events("background-failed").compactMap {
            if case .backgroundFailed(.writeQueue, let error) = $0 { error.code } else { nil }
        }
        #expect(failures == [.notFound, .idExists])
    }

    @Test func `new objects in relations are stored with their referrers`() throws {
        let store = try open()
        let students = store.box(for: Student.self)
        let (student, teacher) = (Student("Tim"), Teacher("Tom"))
        student.teachers.append(teacher)
        let order = Order("Book")
        order.customer.target = Customer("Ada")
        let id = try students.async.put(student)
        let orderId = try store.box(for: Order.self).async.put(order)
        #expect(teacher.id != 0 && order.customer.target?.id != 0)
        store.awaitAsyncSubmitted()
        let found = try #require(try students.get(id))
        #expect(found.teachers.map(\.name) == ["Tom"])
        let stored = try #require(try store.box(for: Order.self).get(orderId))
        #expect(stored.customer.target?.name == "Ada")
        // A second put of the same objects writes the same links.
        try students.async.put(student)
        store.awaitAsyncSubmitted()
        try students.put(student)
        #expect(try students.get(id)?.teachers.map(\.name) == ["Tom"])
        #expect(try store.box(for: Teacher.self).count() == 1)
        store.close()
    }

    @Test func `an object whose id or list is only known after the commit is refused`() throws {
        let store = try Store(
            directoryPath: "memory:\(UUID())", entities: Country.self, Owner.self, Dog.self)
        let countries = store.box(for: Country.self)
        let country = expectError(.invalidArgument) {
            try countries.async.put(Country(code: "UK"))
        }
        #expect(country?.message.contains("'Country' has a primary key") == true)
        let owner = Owner()
        owner.dogs.append(Dog())
        let list = expectError(.invalidArgument) {
            try store.box(for: Owner.self).async.put(owner)
        }
        #expect(list?.details["relation"] == "dogs")
        store.awaitAsyncSubmitted()
        #expect(try countries.isEmpty() && store.box(for: Owner.self).isEmpty())
        // The key identifies the object of a removal.
        try countries.put(Country(code: "UK"))
        try countries.async.remove(Country(code: "UK"))
        store.awaitAsyncSubmitted()
        #expect(try countries.isEmpty())
        store.close()
    }

    @Test func `objects are removed by id, as objects and together`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        let all = try notes.put(structs: (1...10).map { Note(text: "\($0)") })
        try notes.async.remove(all[0])
        try notes.async.remove(all[1], all[2])
        try notes.async.remove([all[3]])
        try notes.async.remove(EntityId<Note>(5))
        try notes.async.remove([EntityId<Note>(6)])
        try notes.async.remove(EntityId<Note>(7), EntityId<Note>(77))
        let plain: Id = 8
        try notes.async.remove(plain)
        try notes.async.remove(plain + 1, plain)
        #expect(store.awaitAsyncSubmitted())
        #expect(try notes.all().map(\.text) == ["10"])
        store.close()
    }

    @Test func `an unknown raw value stays stored`() throws {
        let directory = TemporaryDirectory()
        var object = Cased(Role.admin)
        object.list = [.admin, .author]
        let later = try Store(directory: directory.url, entities: Cased<Role>.self)
        let _: Id = try later.box(for: Cased<Role>.self).put(&object)
        later.close()
        // An earlier version of the program does not know the value.
        let earlier = try Store(directory: directory.url, entities: Cased<EarlierRole>.self)
        let box = earlier.box(for: Cased<EarlierRole>.self)
        var seen = try #require(try box.get(object.id))
        seen.note = "seen"
        try box.async.put(seen)
        earlier.close()
        let again = try Store(directory: directory.url, entities: Cased<Role>.self)
        object.note = "seen"
        #expect(try again.box(for: Cased<Role>.self).get(object.id) == object)
        again.close()
    }

    @Test func `the metadata of the caller describes the commit`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        let id = try CommitMetadata.$current.withValue(CommitMetadata(author: "ada")) {
            try notes.async.put(Note(text: "a"))
        }
        let other = try notes.async.put(Note(text: "b"))
        store.awaitAsyncSubmitted()
        #expect(try notes.history(of: id.value)[0].metadata.author == "ada")
        #expect(try notes.history(of: other.value)[0].metadata.author == nil)
        store.close()
    }
}

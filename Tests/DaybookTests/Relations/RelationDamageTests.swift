@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Relations to objects whose bytes are damaged on disk.
@Suite struct RelationDamageTests {
    /// Flips a bit of the first letter of a string in the log. Exactly one segment must contain the
    /// string.
    private func damage(_ text: String, in directory: TemporaryDirectory) throws {
        var count = 0
        for name in try directory.names where name.hasPrefix("segment-") {
            let file = directory.url.appendingPathComponent(name)
            let bytes = try Data(contentsOf: file)
            guard let place = bytes.range(of: Data(text.utf8)) else { continue }
            let handle = try FileHandle(forWritingTo: file)
            try handle.seek(toOffset: UInt64(place.lowerBound))
            try handle.write(contentsOf: Data([bytes[place.lowerBound] ^ 1]))
            try handle.close()
            count += 1
        }
        #expect(count == 1)
    }

    @Test func `an unreadable relation is nil or empty, reports its error, and keeps its links`()
        throws
    {
        let directory = TemporaryDirectory()
        var options = StoreOptions()
        options.frameCacheBudgetBytes = 0
        options.isMaintenanceAutomatic = false
        let store = try Store(
            path: directory.path, entities: RelationStore.entities, options: options)
        let (orders, students) = (store.box(for: Order.self), store.box(for: Student.self))
        try store.box(for: Customer.self).put(Customer("Zyzzyva"))
        try store.box(for: Teacher.self).put(Teacher("Curie"))
        try store.box(for: Teacher.self).put(Teacher("Quagga"))
        let order = Order("Hat")
        order.customer.targetId = 1
        try orders.put(order)
        let student = Student("Ada")
        student.teachers = ToMany(try store.box(for: Teacher.self).all())
        try students.put(student)
        let (found, pupil) = (try #require(try orders.get(1)), try #require(try students.get(1)))
        try damage("Zyzzyva", in: directory)
        try damage("Quagga", in: directory)

        #expect(found.customer.targetId == 1 && found.customer.target == nil)
        #expect(found.customer.failure?.code == .corruption)
        expectError(.corruption) { _ = try found.customer.get() }
        #expect(pupil.teachers.isEmpty && pupil.teachers.failure?.code == .corruption)
        expectError(.corruption) { try pupil.teachers.get() }
        expectError(.corruption) { _ = try found.customer.get() }
        expectError(.corruption) { _ = try pupil.teachers.get() }
        expectError(.corruption) { _ = try pupil.teachers.getUncachedFromDb() }
        // A put of the two unread relations keeps their links.
        found.summary = "Top hat"
        try orders.put(found)
        try students.put(pupil)
        #expect(try orders.get(1)?.customer.targetId == 1)
        #expect(try students.get(1)?.teachers.countInDb() == 2)
        // Operations that do not read the damaged objects succeed.
        pupil.teachers.reset()
        pupil.teachers.append(Teacher("Noether"))
        try pupil.teachers.applyToDb()
        #expect(try pupil.teachers.getUncachedIdsFromDb() == [1, 2, 3])
        #expect(try pupil.teachers.page(limit: 1).map(\.name) == ["Curie"])
        pupil.teachers.replace([try #require(try store.box(for: Teacher.self).get(3))])
        try students.put(pupil)
        #expect(try students.get(1)?.teachers.map(\.name) == ["Noether"])
        found.customer = nil
        try orders.put(found)
        #expect(try orders.get(1)?.customer.hasValue == false)
        try store.close()
    }
}

@testable import Daybook
import DaybookBytes
import DaybookTesting
@testable import DaybookRealm
import DaybookTestSupport
import Testing

/// Realm's collections compared with those of the standard library.
@Suite struct RealmCollectionTests {
    @Test func `a list behaves like an array`() {
        for seed in Seeds.first(20) {
            var generator = SeededGenerator(seed: seed)
            let list = List<Int>()
            var array: [Int] = []
            for _ in 0..<300 {
                let value = Int.random(in: 0..<10, using: &generator)
                let end = Int.random(in: 0...array.count, using: &generator)
                let place = Int.random(in: 0..<max(array.count, 1), using: &generator)
                switch (Int.random(in: 0..<14, using: &generator), array.isEmpty) {
                case (0...2, _), (_, true):
                    list.append(value)
                    array.append(value)
                case (3, _):
                    list.insert(value, at: end)
                    array.insert(value, at: end)
                case (4, _):
                    list.append(objectsIn: [value, 1])
                    array += [value, 1]
                case (5, _): #expect(list.remove(at: place) == array.remove(at: place))
                case (6, _):
                    list.move(from: place, to: min(end, array.count - 1))
                    array.insert(array.remove(at: place), at: min(end, array.count))
                case (7, _):
                    list.swapAt(place, 0)
                    array.swapAt(place, 0)
                case (8, _):
                    list[place] = value
                    array[place] = value
                case (9, _):
                    list.replace(index: place, object: value)
                    array[place] = value
                case (10, _):
                    list.removeAll { $0 == value }
                    array.removeAll { $0 == value }
                case (11, _): #expect(list.removeLast() == array.removeLast())
                case (12, _): #expect(list.removeFirst() == array.removeFirst())
                default:
                    list.replaceSubrange(0..<place, with: [value])
                    array.replaceSubrange(0..<place, with: [value])
                }
                #expect(list.index(of: value) == array.firstIndex(of: value), "seed \(seed)")
            }
            #expect(Array(list) == array && list.count == array.count, "seed \(seed)")
            #expect(list == List(array) && "\(list)" == "\(array)")
            #expect(list.map { $0 * 2 } == array.map { $0 * 2 } && list.last == array.last)
        }
    }

    @Test func `a set behaves like a set of the standard library`() {
        for seed in Seeds.first(20) {
            var generator = SeededGenerator(seed: seed)
            let mutable = MutableSet<Int>()
            var set: Set<Int> = []
            for _ in 0..<300 {
                let value = Int.random(in: 0..<20, using: &generator)
                let others = (0..<8).map { _ in Int.random(in: 0..<20, using: &generator) }
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...2:
                    mutable.insert(value)
                    set.insert(value)
                case 3:
                    mutable.remove(value)
                    set.remove(value)
                case 4:
                    mutable.insert(objectsIn: others)
                    set.formUnion(others)
                case 5:
                    mutable.subtract(MutableSet(others))
                    set.subtract(others)
                case 6:
                    mutable.formUnion([value])
                    set.formUnion([value])
                default:
                    mutable.formIntersection(MutableSet(others))
                    set.formIntersection(others)
                }
                #expect(mutable.contains(value) == set.contains(value), "seed \(seed)")
                #expect(mutable.isSubset(of: MutableSet(others)) == set.isSubset(of: others))
                #expect(mutable.intersects(MutableSet(others)) == !set.isDisjoint(with: others))
            }
            #expect(Set(mutable) == set && mutable.count == set.count, "seed \(seed)")
            #expect(mutable == MutableSet(set))
            mutable.removeAll()
            #expect(mutable.isEmpty && mutable != [1])
        }
    }

    @Test func `a map behaves like a dictionary`() {
        for seed in Seeds.first(20) {
            var generator = SeededGenerator(seed: seed)
            let map = Map<String, Int>()
            var dictionary: [String: Int] = [:]
            for value in 0..<300 {
                let key = "\(Int.random(in: 0..<20, using: &generator))"
                switch Int.random(in: 0..<6, using: &generator) {
                case 0...1: (map[key], dictionary[key]) = (value, value)
                case 2: (map[key], dictionary[key]) = (nil, nil)
                case 3:
                    #expect(
                        map.updateValue(value, forKey: key)
                            == dictionary.updateValue(value, forKey: key))
                case 4:
                    #expect(map.removeValue(forKey: key) == dictionary.removeValue(forKey: key))
                default:
                    map[key, default: 5] += 1
                    dictionary[key, default: 5] += 1
                }
                #expect(map[key] == dictionary[key], "seed \(seed)")
            }
            #expect(map == Map(dictionary) && map.count == dictionary.count, "seed \(seed)")
            #expect(map.keys.sorted() == dictionary.keys.sorted())
            #expect(map.values.sorted() == dictionary.values.sorted())
            #expect(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value) }) == dictionary)
        }
        let map: Map<String, Int> = ["a": 1, "a": 2]
        map.merge(["b": 3])
        map.removeObject(for: "a")
        #expect(map == ["b": 3])
    }

    @Test func `a copy of a reference is the same collection`() {
        let list: List = [1, 2]
        let same = list
        same.append(3)
        #expect(list == [1, 2, 3])
        for element in list { list.append(element) }
        #expect(list.count == 6)
    }

    @Test func `collections are stored like those of the standard library`() throws {
        #expect(try bytes(List([3, 1, 2])) == bytes([3, 1, 2]))
        #expect(try bytes(List<String?>(["a", nil])) == bytes(["a", nil] as [String?]))
        #expect(try bytes(List<UInt8>([1, 2])) == [1, 2])
        #expect(try bytes(MutableSet([3, 1, 2])) == bytes(Set([3, 1, 2])))
        #expect(try bytes(Map(["b": 1, "a": 2])) == bytes(["a": 2, "b": 1]))
        #expect(List<UInt8>.propertyType == .bytes)
        #expect(List<Int?>.propertyType == [Int?].propertyType)
        #expect(MutableSet<Int>.propertyType == Set<Int>.propertyType)
        #expect(Map<String, Int>.propertyType == [String: Int].propertyType)
    }

    private func bytes(_ value: some PropertyValue) throws -> [UInt8] {
        var writer = ValueWriter(.none)
        try value.write(to: &writer)
        return writer.bytes.bytes
    }
}

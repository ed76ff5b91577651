import Testing

@testable import DaybookBytes

@Suite struct GenericCastTests {
    private class Base {}
    private final class Derived: Base {}

    private func both<Value, Result>(_ value: Value, _ type: Result.Type) -> Result? {
        cast(value, toSame: type)
    }

    @Test func `a value is cast to its own type`() {
        let object = Derived()
        #expect(both(7, Int.self) == 7)
        #expect(both("text", String.self) == "text")
        #expect(both(object, Derived.self) === object)
    }

    @Test func `a value is not cast to another type, even to a superclass`() {
        #expect(both(7, UInt.self) == nil)
        #expect(both(Derived(), Base.self) == nil)
        #expect(both(Derived() as Base, Derived.self) == nil)
    }

    @Test func `a class instance is a reference, and a value of another type is none`() {
        let object = Derived()
        #expect(instance(object) === object)
        #expect(instance(object as Base) === object)
        #expect(instance(7) == nil)
        #expect(instance([object]) == nil)
    }

    @Test func `a cast neither leaks nor releases its instance`() {
        weak var released: Derived?
        do {
            let object = Derived()
            released = object
            #expect(both(object, Derived.self) === object && instance(object) === object)
        }
        #expect(released == nil)
    }
}

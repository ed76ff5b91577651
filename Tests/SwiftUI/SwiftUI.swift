// A stand-in for the parts of SwiftUI that the library uses, as Apple documents them, so that code
// for platforms with SwiftUI is type-checked on other platforms. Its functions do nothing.

public protocol DynamicProperty {
    mutating func update()
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    private let value: Value
    public init(wrappedValue value: Value) { self.value = value }
    public init(initialValue value: Value) { self.value = value }
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public mutating func update() {}
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public init() {}
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { K.defaultValue }
        set {}
    }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let path: KeyPath<EnvironmentValues, Value>
    public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }
    public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
    public mutating func update() {}
}

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    var body: Body { get }
}

extension Never: View {
    public var body: Never { switch self {} }
}

public struct EmptyView: View {
    public nonisolated init() {}
    public var body: some View { self }
}

extension View {
    public nonisolated func environment<V>(
        _ path: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View { EmptyView() }
}

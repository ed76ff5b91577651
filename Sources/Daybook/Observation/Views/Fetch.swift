#if canImport(SwiftUI)
public import SwiftUI

// A thin shell over `FetchedResults`. It is compiled on platforms with SwiftUI only; on Linux, the
// tests check its types against a stand-in.

/// The objects that a query finds, in a SwiftUI view. The view is updated when they change.
///
/// ```swift
/// struct PeopleList: View {
///     @Fetch private var people: [Person]
///
///     init(search: String) {
///         _people = Fetch { people in
///             people.query { $0.name.startsWith(search) }.ordered(by: \.name).limit(50)
///         }
///     }
///
///     var body: some View {
///         List(people, id: \.id) { Text($0.name) }
///     }
/// }
///
/// PeopleList(search: text).daybookStore(store)
/// ```
///
/// The store is in the environment: see `daybookStore(_:)`. A view that is initialised again, for
/// example with another search text, keeps its objects and exchanges the query in place, if the
/// query differs. Nothing is read before the view is shown.
///
/// The projected value, `$people`, is a ``FetchedResults``, with the error and the last change.
///
/// - Important: This type was never compiled with SwiftUI itself, because Daybook is developed on
///   Linux. Everything that it does is in ``FetchedResults`` and ``LiveResults``, which are tested
///   there.
@MainActor @propertyWrapper
public struct Fetch<E: Entity>: DynamicProperty {
    @Environment(\.daybookStore) private var store
    @State private var fetched: FetchedResults<E>
    private let query: (Box<E>) -> Query<E>

    /// Fetches the objects of a query.
    ///
    /// - Parameters:
    ///   - firstResult: Whether the view waits for the first result. By default, there are no
    ///     objects until the query has run in the background.
    ///   - query: Returns the query for the box of the environment's store; by default all objects.
    public init(
        firstResult: FirstResult = .inBackground,
        _ query: @escaping (Box<E>) -> Query<E> = { $0.query() }
    ) {
        _fetched = State(initialValue: FetchedResults(firstResult: firstResult))
        self.query = query
    }

    /// The objects in the query's order. Empty until the query has run for the first time.
    public var wrappedValue: [E] { fetched.objects }

    /// The state of the fetch: its error, and its results.
    public var projectedValue: FetchedResults<E> { fetched }

    /// Takes the store of the environment. SwiftUI calls it before it evaluates the view.
    public nonisolated func update() {
        MainActor.assumeIsolated { fetched.update(store: store, query: query) }
    }
}

private struct DaybookStoreKey: EnvironmentKey {
    static let defaultValue: Store? = nil
}

extension EnvironmentValues {
    /// The store that ``Fetch`` reads; nil if no enclosing view sets one.
    public var daybookStore: Store? {
        get { self[DaybookStoreKey.self] }
        set { self[DaybookStoreKey.self] = newValue }
    }
}

extension View {
    /// Sets the store that ``Fetch`` reads in this view and the views in it.
    public func daybookStore(_ store: Store?) -> some View { environment(\.daybookStore, store) }
}
#endif

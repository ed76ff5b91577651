public import Daybook

// ObjectBox's generic types of properties, with a third parameter for the target of a relation.

/// A stored property of an entity, as ObjectBox writes the type: `Property<Person, String, Void>`.
///
/// The third parameter is the target of a relation in ObjectBox, or `Void`; Daybook ignores it. The
/// properties of relations are `Daybook.Property<Order, ToOne<Customer>>`. Daybook's own type with
/// two parameters is written `Daybook.Property` in a file that imports `DaybookObjectBox`.
public typealias Property<E: Entity, V: PropertyValue, Referenced> = Daybook.Property<E, V>

/// A stored property of an entity.
public typealias ValueProperty<E: Entity, V: PropertyValue> = Daybook.Property<E, V>

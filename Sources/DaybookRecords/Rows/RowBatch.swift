/// Rows of one layout in the same payload, so that a loop can process many objects without a call
/// per object.
@usableFromInline package struct RowBatch: ~Escapable {
    /// The range of a row, and its object's id.
    @usableFromInline
    package struct Place {
        @usableFromInline let start: UInt32
        @usableFromInline let end: UInt32
        @usableFromInline package let id: UInt64

        /// A payload is shorter than 4 GiB.
        @inlinable @inline(__always)
        package init(_ row: Range<Int> = 0..<0, _ id: UInt64 = 0) {
            start = UInt32(truncatingIfNeeded: row.lowerBound)
            end = UInt32(truncatingIfNeeded: row.upperBound)
            self.id = id
        }
    }

    @usableFromInline let payload: Span<UInt8>
    @usableFromInline let places: Span<Place>
    /// The common layout.
    @usableFromInline package let layout: UInt32

    @_lifetime(copy payload, copy places)
    @inlinable @inline(__always)
    package init(_ payload: Span<UInt8>, _ places: Span<Place>, layout: UInt32) {
        self.payload = payload
        self.places = places
        self.layout = layout
    }

    @inlinable @inline(__always)
    package var count: Int { places.count }

    /// The id of a row's object.
    @inlinable @inline(__always)
    package func id(_ index: Int) -> UInt64 { places[index].id }

    /// The bytes of a row, without a copy.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    package func row(_ index: Int) -> Span<UInt8> {
        let place = places[index]
        return payload.extracting(Int(place.start)..<Int(place.end))
    }

    /// Passes each row to `body` until it returns false. Returns whether it never did.
    package func forEach(
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) rethrows -> Bool {
        for index in 0..<count {
            if try !body(row(index), layout, id(index)) { return false }
        }
        return true
    }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Realm's name for a decimal number. It is Foundation's `Decimal`, with 38 digits and exponents
/// from -128 to 127. Realm's type has 34 digits, larger exponents and infinities.
public typealias Decimal128 = Decimal

/// ObjectBox's name of an unsigned number of 8 bits.
public typealias Byte = UInt8

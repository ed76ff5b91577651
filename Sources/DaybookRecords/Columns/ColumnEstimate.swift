/// Estimates from a sample how well the bytes of a column compress.
enum ColumnEstimate {
    /// The number of values in the sample.
    static let sampleCount = 1_024
    /// A compressor uses one code for all nearby bytes, so it does not reach the entropy.
    private static let compressorLoss = 1.1

    /// c · log₂(c) for every possible count.
    private static let weights: [Double] = (0...sampleCount).map { count in
        Double(count) * logarithm(count)
    }

    /// The estimated bits per value as byte planes of its difference from `base`.
    static func bitsAsPlanes(_ values: [Int64], base: Int64, planeCount: Int) -> Double {
        let stride = max(1, values.count / sampleCount)
        let count = min(values.count / stride, sampleCount)
        var histogram = [UInt16](repeating: 0, count: 256)
        var bits = 0.0
        for plane in 0..<planeCount {
            for index in 0..<count {
                let difference = UInt64(bitPattern: values[index &* stride] &- base)
                histogram[Int((difference &>> UInt64(8 * plane)) & 0xFF)] &+= 1
            }
            var weight = 0.0
            var distinct = 0
            for index in 0..<256 where histogram[index] > 0 {
                weight += weights[Int(histogram[index])]
                distinct += 1
                histogram[index] = 0
            }
            let entropy = logarithm(count) - weight / Double(count)
            // A sample shows too little variety. This is the usual correction, in bits.
            let bias = Double(distinct - 1) / Double(2 * count) * 1.4427
            bits += min(8, entropy + bias)
        }
        return bits * compressorLoss
    }

    /// The base-2 logarithm of an integer, with an error of a thousandth. Squaring doubles the
    /// logarithm; each time the square passes two, the next binary digit is one.
    private static func logarithm(_ number: Int) -> Double {
        guard number > 1 else { return 0 }
        let whole = Int.bitWidth - 1 - number.leadingZeroBitCount
        var fraction = Double(number) / Double(1 << whole)
        var result = Double(whole)
        var digit = 0.5
        for _ in 0..<12 {
            fraction *= fraction
            if fraction >= 2 {
                fraction /= 2
                result += digit
            }
            digit /= 2
        }
        return result
    }
}

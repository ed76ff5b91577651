public import Daybook

/// ObjectBox's name of the error type.
///
/// ```swift
/// do {
///     try box.put(user)
/// } catch ObjectBoxError.uniqueViolation {
///     show("The name is taken.")
/// } catch let error as ObjectBoxError {
///     show(error.message)
/// }
/// ```
///
/// The members are patterns without associated values, because each matches several codes.
public typealias ObjectBoxError = DaybookError

/// The codes of errors for which ObjectBox has one name. A pattern of `catch` and `case`.
public struct ErrorFamily: Sendable {
    private let codes: [DaybookError.Code]

    init(_ codes: DaybookError.Code...) { self.codes = codes }

    /// Returns whether an error is a ``Daybook/DaybookError`` with one of the codes.
    public static func ~= (family: ErrorFamily, error: any Error) -> Bool {
        guard let code = (error as? DaybookError)?.code else { return false }
        return family.codes.contains(code)
    }
}

extension DaybookError {
    /// `.uniqueViolation`.
    public static var uniqueViolation: ErrorFamily { ErrorFamily(.uniqueViolation) }
    /// `.notFound`.
    public static var notFound: ErrorFamily { ErrorFamily(.notFound) }
    /// `.cannotWriteWhileReading`.
    public static var cannotWriteWhileReading: ErrorFamily { ErrorFamily(.cannotWriteWhileReading) }
    /// `.nonUniqueResult`.
    public static var nonUniqueResult: ErrorFamily { ErrorFamily(.nonUniqueResult) }
    /// `.closed`, `.transactionAborted`, `.readOnly` or `.insideConversion`.
    public static var illegalState: ErrorFamily {
        ErrorFamily(.closed, .transactionAborted, .readOnly, .insideConversion)
    }
    /// `.invalidArgument`, `.invalidValue`, `.idInvalid` or `.idUnknown`.
    public static var illegalArgument: ErrorFamily {
        ErrorFamily(.invalidArgument, .invalidValue, .idInvalid, .idUnknown)
    }
    /// `.outOfSpace`.
    public static var dbFull: ErrorFamily { ErrorFamily(.outOfSpace) }
    /// `.inputOutput`, `.permissionDenied`, `.notAStore`, `.locked`, `.fileNotFound` or
    /// `.durabilityUnknown`.
    public static var storageGeneral: ErrorFamily {
        ErrorFamily(
            .inputOutput, .permissionDenied, .notAStore, .locked, .fileNotFound, .durabilityUnknown)
    }
    /// `.schemaMismatch`, `.schemaTooNew` or `.entityNotRegistered`.
    public static var schema: ErrorFamily {
        ErrorFamily(.schemaMismatch, .schemaTooNew, .entityNotRegistered)
    }
    /// `.corruption`.
    public static var fileCorrupt: ErrorFamily { ErrorFamily(.corruption) }
    /// `.corruption`.
    public static var filePagesCorrupt: ErrorFamily { ErrorFamily(.corruption) }
    /// `.uniqueViolation`, `.relationDenied` or `.primaryKeyChanged`.
    public static var constraintViolated: ErrorFamily {
        ErrorFamily(.uniqueViolation, .relationDenied, .primaryKeyChanged)
    }
    /// `.overflow`.
    public static var stdOverflow: ErrorFamily { ErrorFamily(.overflow) }
    /// `.cannotRelateToUnsaved`.
    public static var cannotRelateToUnsavedEntities: ErrorFamily {
        ErrorFamily(.cannotRelateToUnsaved)
    }
    /// `.closed`.
    public static var cannotAttachToStore: ErrorFamily { ErrorFamily(.closed) }
}

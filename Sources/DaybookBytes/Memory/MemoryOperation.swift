/// One operation on a volume. The journal is a list of operations.
package enum MemoryOperation: Sendable {
    /// A name in a directory.
    package struct Name: Hashable, Sendable {
        package var directory: Int
        package var name: String
    }

    case create(file: Int, Name)
    case createDirectory(directory: Int, Name)
    case rename(node: Int, from: Name, to: Name)
    case link(node: Int, Name)
    case remove(node: Int, Name)
    case syncDirectory(Int)

    case write(file: Int, offset: Int, bytes: [UInt8])
    case resize(file: Int, size: Int)
    case preallocate(file: Int, size: Int)
    case sync(file: Int)
    case failedSync(file: Int)

    /// The file whose data or size the operation changes.
    package var changedFile: Int? {
        switch self {
        case .write(let file, _, _), .resize(let file, _), .preallocate(let file, _): file
        case .create, .createDirectory, .rename, .link, .remove, .syncDirectory, .sync, .failedSync:
            nil
        }
    }

    /// The directories whose names the operation changes.
    package var changedDirectories: [Int] {
        switch self {
        case .create(_, let name), .createDirectory(_, let name), .link(_, let name),
            .remove(_, let name):
            [name.directory]
        case .rename(_, let from, let to): [from.directory, to.directory]
        case .write, .resize, .preallocate, .sync, .failedSync, .syncDirectory: []
        }
    }

    /// The name that the operation adds, and its node.
    package var newName: (node: Int, Name)? {
        switch self {
        case .create(let node, let name), .createDirectory(let node, let name),
            .link(let node, let name):
            (node, name)
        case .rename(let node, _, let name): (node, name)
        case .remove, .syncDirectory, .write, .resize, .preallocate, .sync, .failedSync: nil
        }
    }
}

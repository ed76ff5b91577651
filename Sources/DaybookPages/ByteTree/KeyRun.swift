/// The direction of consecutive insertions of neighbouring keys. Splitting a page at the run,
/// instead of in the middle, leaves full pages.
enum KeyRun {
    case rising
    case falling
}

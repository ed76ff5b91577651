/// Keys that are inserted one beside the other. Dividing a page where the run is, and not in the
/// middle, leaves full pages behind it.
enum KeyRun {
    case rising
    case falling
}

// DaybookTesting: file systems that inject faults and enumerate crash states, for tests and the
// fault campaign, and the random numbers that reproduce them. It must not know what the files
// contain, and no module of the library may depend on it.
//
// Invariants:
// - Every crash image contains all that a completed sync covers.
// - The same seed gives the same images and the same numbers.
// - A fault file system passes every call on that it does not fail.

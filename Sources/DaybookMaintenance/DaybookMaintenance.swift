// DaybookMaintenance: examines, exports and rebuilds whole stores. It contains dump and load,
// verification and statistics. It reads entities by number and rows by layout; it must not know a
// user's type, and DaybookEngine must not depend on it.
//
// Invariants:
// - Dump, verification and statistics never write to the store.
// - Equal states produce equal dumps, and loading a dump restores the state that was dumped.
// - A load that fails or is interrupted leaves no store.
// - Verification reports damage as a finding, and continues with the rest of the store.

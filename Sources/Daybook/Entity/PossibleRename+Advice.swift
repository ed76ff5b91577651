import DaybookRecords

extension PossibleRename {
    /// The line of ``OpeningReport/possibleRenames``.
    var advice: String {
        guard let property else {
            return "The entity \(entity) is new, and \(formerName), which has the same properties,"
                + " is no longer declared. If it was renamed, declare \(entity) with @Entity(name:"
                + " \"\(formerName)\"), so that it has the stored objects."
        }
        return "\(entity).\(property) is new, and \(entity).\(formerName) is no longer declared. If"
            + " it was renamed, copy the values with Migration.transform(\"\(entity)\","
            + " toVersion:), which reads old[\"\(formerName)\"]. @Renamed(from: \"\(formerName)\")"
            + " keeps them in stores that were not opened with the new name."
    }
}

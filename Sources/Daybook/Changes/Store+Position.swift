import DaybookEngine

extension Store {
    /// The position after the newest durable commit: ``changes(from:of:properties:)`` without a
    /// position begins there. Never blocks.
    public var position: ChangePosition { engine.position }
}

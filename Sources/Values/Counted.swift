extension Int {
    /// A number with its noun: `1 rule`, `2 rules`, `3 entries`.
    ///
    /// - Parameter many: the plural, where it is not the singular with an 's'.
    public func counted(_ one: String, _ many: String? = nil) -> String {
        self == 1 ? "1 \(one)" : "\(self) \(many ?? one + "s")"
    }
}

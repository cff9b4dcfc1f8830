public import Values

/// How a template is read and rendered, fixed when it is parsed.
public struct LiquidOptions: Sendable {
    /// `strict` for texts that people write and wait for; `lax` for templates from elsewhere.
    public var strictness: LiquidStrictness
    /// Templates that `render` and `include` may name, as source text by name.
    public var partials: [String: String]
    /// What one render may use up.
    public var limits: LiquidLimits

    /// Strict, without partials, with the usual limits, unless told otherwise.
    public init(
        strictness: LiquidStrictness = .strict,
        partials: [String: String] = [:],
        limits: LiquidLimits = LiquidLimits()
    ) {
        self.strictness = strictness
        self.partials = partials
        self.limits = limits
    }
}

/// What happens to names that nobody knows.
public enum LiquidStrictness: Sendable {
    /// Unknown filters, date styles and partials are complaints of the parser; printing a missing value is an error of the render.
    case strict
    /// Unknown filters pass their input on, missing values print nothing: what the reference implementation does by default.
    case lax
}

/// What a template may use up; whatever it does and whatever its data, no render goes beyond.
public struct LiquidLimits: Sendable {
    /// Bytes of UTF-8 that one render may print, and that any single text it makes on the way may have. All texts it makes on the
    /// way may have 16 times as many together.
    public var outputBytes: Int
    /// Rounds of all loops, partials rendered and list elements looked at by filters, together.
    public var loopSteps: Int
    /// Bytes of UTF-8 that a template, or a partial, may have.
    public var sourceBytes: Int
    /// How deep blocks may be nested in a source, and brackets in an expression; while rendering, blocks and partials together may
    /// be nested twice as deep.
    public var nesting: Int

    /// The defaults are far above what a message needs (300 lessons of ten fields take 300 steps and 40 KB).
    public init(
        outputBytes: Int = 1 << 20,
        loopSteps: Int = 1_000_000,
        nesting: Int = 64,
        sourceBytes: Int = 1 << 18
    ) {
        self.outputBytes = outputBytes
        self.loopSteps = loopSteps
        self.nesting = nesting
        self.sourceBytes = sourceBytes
    }
}

/// What a render needs to know beyond its variables. The hour is handed over; no clock is read.
public struct LiquidContext: Sendable {
    /// The zone in which `date`, `weekday` and `relative` read instants, and in which texts without an offset are meant.
    public var zone: Zone
    /// The language of days, months, numbers and money.
    public var locale: LiquidLocale
    /// What `"now"` and `"today"` mean to `date`, and what `relative` counts from.
    public var now: Timestamp

    /// All three decide what is written; none has a default.
    public init(zone: Zone, locale: LiquidLocale, now: Timestamp) {
        self.zone = zone
        self.locale = locale
        self.now = now
    }
}

/// The languages in which days, months, numbers and amounts of money are written.
public enum LiquidLocale: String, Sendable, CaseIterable {
    case de
    case it
    case en
}

import Liquid
import Testing
import Values

/// What the tests of this room share: a place, an hour, short ways to render.
enum Rendering {
    static let rome = Zone("Europe/Rome") ?? .utc
    /// Monday, 30 November 2026, 17:00 in Rome.
    static let now = Timestamp(rfc3339: "2026-11-30T16:00:00Z") ?? Timestamp(seconds: 0)

    static func context(_ locale: LiquidLocale = .de, zone: Zone = rome) -> LiquidContext {
        LiquidContext(zone: zone, locale: locale, now: now)
    }

    static func render(
        _ source: String,
        _ variables: ValueMap = [:],
        locale: LiquidLocale = .de,
        options: LiquidOptions = LiquidOptions()
    ) throws -> String {
        try LiquidTemplate(parsing: source, options: options).render(variables, context: context(locale))
    }

    /// The complaints of the parser; none if it accepts the template.
    static func complaints(_ source: String, options: LiquidOptions = LiquidOptions()) -> [Complaint] {
        do throws(LiquidComplaints) {
            _ = try LiquidTemplate(parsing: source, options: options)
            return []
        } catch {
            return error.complaints
        }
    }

    /// The error of a render; nil if it succeeds.
    static func error(
        _ source: String,
        _ variables: ValueMap = [:],
        options: LiquidOptions = LiquidOptions()
    ) throws -> LiquidError? {
        let template = try LiquidTemplate(parsing: source, options: options)
        do throws(LiquidError) {
            _ = try template.render(variables, context: context())
            return nil
        } catch {
            return error
        }
    }

    /// The part of a text that a span covers.
    static func excerpt(_ span: Range<Int>, of source: String) -> String {
        String(decoding: Array(source.utf8)[span], as: UTF8.self)
    }
}

extension Complaint {
    /// The message and the cures, a line each.
    var lines: [String] { [message] + cures }
}

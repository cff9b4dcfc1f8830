public import BotCore
import EmailSink
import HTTPJSONProvider
import MatrixSink
import PokyhProvider
import StdoutSink
import TelegramSink
import WebUntisProvider
import WebhookSink

/// The plugins of this build. Adding one is a line here, a line in `Package.swift`, its folder and its tests.
public enum BuiltInPlugins {
    public static let catalogue = PluginCatalogue(
        accounts: [WebUntisPlugins.account, PokyhPlugins.account],
        providers: WebUntisPlugins.sources + PokyhPlugins.sources + [HTTPJSONPlugin.items],
        sinks: [StdoutPlugin.sink, EmailPlugin.sink, WebhookPlugin.sink, MatrixPlugin.sink, TelegramPlugin.sink]
    )
}

public import BotCore
import EmailSink
import PokyhProvider
import StdoutSink
import WebUntisProvider
import WebhookSink

/// The plugins of this build. Adding one is a line here, a line in `Package.swift`, its folder and its tests.
public enum BuiltInPlugins {
    public static let catalogue = PluginCatalogue(
        accounts: [WebUntisPlugins.account, PokyhPlugins.account],
        providers: WebUntisPlugins.sources + PokyhPlugins.sources,
        sinks: [StdoutPlugin.sink, EmailPlugin.sink, WebhookPlugin.sink]
    )
}

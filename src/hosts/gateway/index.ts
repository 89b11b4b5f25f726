// treadle/gateway
export type { Caller, GatewayScope } from "./caller.js";
export type { ExtensionContext, ExtensionMethod, ExtensionStream, GatewayExtension } from "./extensions.js";
export { Gateway, type GatewayDescription, type GatewayListenOptions } from "./gateway.js";
export type { GatewayConfig, GatewayConfigWorkflow } from "./gateway-config.js";
export type {
  GatewayAuthConfig,
  GatewayDefaults,
  GatewayJwtAuth,
  GatewayOperatorUiConfig,
  GatewayOptions,
  GatewayRegisterOptions,
  GatewayTokenAuth,
  GatewayTokenGrant,
  GatewayTrustedProxyAuth,
  GatewayUiConfig,
  GatewayUiEntry,
  GatewayWebhookConfig,
  GatewayWebhookRunConfig,
  GatewayWebhookSignalConfig,
} from "./gateway-options.js";

/** Options of a gateway. */
export interface GatewayOptions {
  /** Version of the wire protocol that clients are answered. @default 1 */
  protocol?: number;
  /** Abilities of this gateway, as clients see them. @default ["streaming", "runs"] */
  features?: string[];
  /** Milliseconds between two signs of life on a WebSocket; schedules are looked at as often, but every 1 to 15 s. @default 15000 */
  heartbeatMs?: number;
  /** Who is let in. @default everybody on this machine */
  auth?: GatewayAuthConfig;
  /** Without `auth`: origins of pages that are let in beside the gateway's own. With it, `auth.allowedOrigins` says so. @default [] */
  allowedOrigins?: string[];
  /** A web app at `/`; `true`: the operator's page. @default none */
  ui?: GatewayUiConfig;
  /** Folder with `.service/`, `service.db` and the prompts. @default the current folder */
  workspaceRoot?: string;
  /** The operator's page; `false`: none. @default { path: "/console" } */
  operatorUi?: GatewayOperatorUiConfig | false;
  /** Defaults of runs and streams. */
  defaults?: GatewayDefaults;
  /** Largest body of a request, bytes. @default 1048576 */
  maxBodyBytes?: number;
  /** Largest frame of a WebSocket, bytes. @default 1048576 */
  maxPayload?: number;
  /** WebSockets at the same time; the request for one more is answered with 503. @default 1000 */
  maxConnections?: number;
  /** Runs driven at once; others wait for their turn, in the order in which they were made. @default any number */
  maxActiveRuns?: number;
  /** Tasks at work at once, in all runs of the host. @default any number */
  maxActiveTasks?: number;
  /** Events of a run that are kept ready for clients that come back. @default 10000 */
  eventWindowSize?: number;
  /** Whether clients are shown the events of runs that other processes drive. @default true */
  outOfProcessEventBridge?: boolean;
  /** Milliseconds between two looks for those. @default 1000 */
  outOfProcessEventBridgePollMs?: number;
  /** Milliseconds to receive the headers of a request. @default 30000 */
  headersTimeout?: number;
  /** Milliseconds to receive one request, its body included. @default 60000 */
  requestTimeout?: number;
}

/** Defaults of runs and streams. */
export interface GatewayDefaults {
  /** Which tools command-line agents of launched runs may use without `allowTools`. @default what such a run has, "all" */
  cliAgentTools?: "all" | "explicit-only";
  /** For a gateway that does not say. @default none */
  outOfProcessEventBridge?: boolean;
  /** For a gateway that does not say. @default none */
  outOfProcessEventBridgePollMs?: number;
}

/** Who is let in: one of three modes. */
export type GatewayAuthConfig = GatewayTokenAuth | GatewayJwtAuth | GatewayTrustedProxyAuth;

interface OriginRule {
  /** Origins of browsers that are let in; requests without one always are. @default [] = any */
  allowedOrigins?: string[];
}

/** Bearer tokens and what each of them stands for. */
export interface GatewayTokenAuth extends OriginRule {
  mode: "token";
  /** By the token itself. */
  tokens: Record<string, GatewayTokenGrant>;
}

/** The grant of a token. */
export interface GatewayTokenGrant {
  /** Becomes `ctx.auth.role`; not interpreted. */
  role: string;
  /** The scopes of the token; `["*"]` is everything. */
  scopes: string[];
  /** Who sends it. */
  userId?: string;
  /** Names the token where it must not be shown. @default the beginning of its SHA-256 */
  tokenId?: string;
  /** Epoch milliseconds; the token is refused before. */
  issuedAtMs?: number;
  /** Epoch milliseconds; the token is refused from then on. */
  expiresAtMs?: number;
  /** Epoch milliseconds; with it, the token is refused. */
  revokedAtMs?: number;
}

/** JSON Web Tokens, signed with HS256. */
export interface GatewayJwtAuth extends OriginRule {
  mode: "jwt";
  /** Who must have issued them: the claim `iss`. */
  issuer: string;
  /** For whom they must be: one of these in the claim `aud`. */
  audience: string | string[];
  /** The shared secret. */
  secret: string;
  /** Claim with the scopes: a list, or a text separated by spaces or commas. @default "scope" */
  scopesClaim?: string;
  /** @default "role" */
  roleClaim?: string;
  /** @default "sub" */
  userClaim?: string;
  /** Role of a token that names none. @default "operator" */
  defaultRole?: string;
  /** Scopes of a token that names none. @default [] */
  defaultScopes?: string[];
  /** Seconds that clocks may differ by; less than 0 is 0. @default 60 */
  clockSkewSeconds?: number;
}

/** A proxy in front that strips and writes these headers says who calls. */
export interface GatewayTrustedProxyAuth extends OriginRule {
  mode: "trusted-proxy";
  /** Names of the headers with the user, the scopes and the role, in this order. @default ["x-user-id", "x-user-scopes", "x-user-role"] */
  trustedHeaders?: string[];
  /** Role of a request without that header. @default "operator" */
  defaultRole?: string;
  /** Scopes of a request without that header. @default ["*"] */
  defaultScopes?: string[];
  /** Addresses and networks (`10.0.0.0/8`) that the proxy's connections come from. @default [], any */
  trustedProxies?: string[];
  /** The secret that the proxy sends in the header `x-proxy-secret`. @default none is asked for */
  proxySecret?: string;
}

/** A browser module that is bundled and served as a page; `true`: the operator's page. */
export type GatewayUiConfig = true | GatewayUiEntry;

/** A page of one's own. */
export interface GatewayUiEntry {
  /** File of the browser module. */
  entry: string;
  /** Where it is served. @default of the gateway "/", of a workflow "/workflows/<key>" */
  path?: string;
  /** Title of the page. */
  title?: string;
  /** JSON that the module is given. */
  props?: Record<string, unknown>;
}

/** Where and how the operator's page is served. */
export interface GatewayOperatorUiConfig {
  /** Where it is served. @default "/console" */
  path?: string;
  /** Title of the page. @default "treadle console" */
  title?: string;
  /** JSON that the page is given. @default {} */
  props?: Record<string, unknown>;
}

/** Options of a registered workflow. */
export interface GatewayRegisterOptions {
  /** Cron expression; runs are started by it with the input `{}`. */
  schedule?: string;
  /** Makes `POST /webhooks/<key>` deliver a signal or start a run. */
  webhook?: GatewayWebhookConfig;
  /** A web app of the workflow. */
  ui?: GatewayUiConfig;
}

/** How a webhook is verified, and what it does. */
export interface GatewayWebhookConfig {
  /** Shared secret of the HMAC. */
  secret: string;
  /** Header with the signature. @default "x-hub-signature-256" */
  signatureHeader?: string;
  /** The text before the digest in it. @default "sha256=" */
  signaturePrefix?: string;
  /**
   * Header with the sender's id of a delivery; `false`: deliveries are known by their bodies only, so that a holder of
   * a signed body cannot send it again under another id. @default `x-delivery-id`, else `x-github-delivery`
   */
  deliveryIdHeader?: string | false;
  /** Delivers a signal to a run. */
  signal?: GatewayWebhookSignalConfig;
  /** Starts a run. */
  run?: GatewayWebhookRunConfig;
}

/** Which signal a webhook is, and for which runs. */
export interface GatewayWebhookSignalConfig {
  /** Name of the signal. */
  name: string;
  /** Path in the body to the correlation id; the runs that wait for it get the signal. */
  correlationIdPath?: string;
  /** Path in the body to the id of the run that gets it. */
  runIdPath?: string;
  /** Path in the body to what is delivered. @default the whole body */
  payloadPath?: string;
}

/** Which part of a webhook a run is started with. */
export interface GatewayWebhookRunConfig {
  /** Nothing is started without it. @default false */
  enabled?: boolean;
  /** Path in the body to the input. @default the whole body */
  inputPath?: string;
}

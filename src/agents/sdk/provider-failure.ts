/** The facts of a failed model call, whatever class its error has. */
export interface ProviderFailure {
  /** `answer`: the provider answered, but not with what the SDK could use; `text` may quote the model. */
  kind: "call" | "answer" | "config" | "timeout";
  status?: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The provider's own words. */
  text: string;
}

/** AI SDK errors that no other attempt can repair. */
const CONFIG_ERRORS: ReadonlySet<string> = new Set([
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_NoSuchModelError",
  "AI_NoSuchProviderError",
  "AI_UnsupportedFunctionalityError",
  "AI_UnsupportedModelVersionError",
  "AI_InvalidPromptError",
  "AI_InvalidArgumentError",
]);

/** Low-level reasons for which a connection ends early or never starts. */
const NETWORK_CODE = /^(?:E(?:CONN|HOST|NET|PIPE|AI_)|ENOTFOUND|ETIMEDOUT|UND_ERR)/;

/**
 * Reads an error of the AI SDK, of `fetch`, or an error object out of a provider's stream.
 * Undefined for anything else. Works by name, so that it loads no SDK and recognises every copy of one.
 */
export function readProviderFailure(thrown: unknown): ProviderFailure | undefined {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  const error = thrown as Record<string, unknown>;
  const name = typeof error["name"] === "string" ? error["name"] : "";
  if (name === "AI_RetryError" && error["lastError"] !== undefined) {
    return readProviderFailure(error["lastError"]);
  }
  if (name === "TimeoutError") return { kind: "timeout", headers: {}, text: "" };
  if (CONFIG_ERRORS.has(name)) return { kind: "config", headers: {}, text: messageOf(error) };
  if (name === "AI_APICallError") return callFailure(error);
  if (name.startsWith("Gateway")) return gatewayFailure(name, error);
  if (name.startsWith("AI_")) return { kind: "answer", headers: {}, text: messageOf(error) };
  if (thrown instanceof Error) return isNetworkError(thrown) ? networkFailure(thrown) : undefined;
  return streamedFailure(error);
}

/** Errors of the AI Gateway name their kind and carry a status; what the model's provider said is their cause. */
function gatewayFailure(name: string, error: Record<string, unknown>): ProviderFailure {
  const cause = readProviderFailure(error["cause"]);
  const status = typeof error["statusCode"] === "number" ? error["statusCode"] : cause?.status;
  const type = typeof error["type"] === "string" ? error["type"] : name;
  return {
    kind: name === "GatewayModelNotFoundError" ? "config" : "call",
    headers: cause?.headers ?? {},
    text: [type, messageOf(error)].filter((words) => words !== "").join(": "),
    ...(status !== undefined && { status }),
  };
}

function callFailure(error: Record<string, unknown>): ProviderFailure {
  const failure: ProviderFailure = { kind: "call", headers: lowerCased(error["responseHeaders"]), text: "" };
  if (typeof error["statusCode"] === "number") failure.status = error["statusCode"];
  const own = messageOf(error);
  const said = typeof error["responseBody"] === "string" ? bodyError(error["responseBody"]) : {};
  const body = [said.type, said.code, said.message].filter((word) => typeof word === "string").join(": ");
  // An error that is the first event of a stream gets a made-up 500 from the SDK: its type tells what it is.
  const meant = STATUS_OF_TYPE[String(said.type)];
  if (meant !== undefined && failure.status === 500) failure.status = meant;
  failure.text = body.includes(own) ? body : [own, body].filter((words) => words !== "").join(": ");
  const cause = error["cause"];
  if (failure.text === "" && cause instanceof Error) failure.text = cause.message;
  return failure;
}

/** Providers report errors inside a stream as `{type, message, code?, statusCode?}`, sometimes below `error`. */
function streamedFailure(error: Record<string, unknown>): ProviderFailure | undefined {
  const inner = error["error"];
  if (typeof inner === "object" && inner !== null) return streamedFailure(inner as Record<string, unknown>);
  if (typeof error["message"] !== "string") return undefined;
  const words = [error["type"], error["code"], error["message"]].filter((word) => typeof word === "string");
  const failure: ProviderFailure = { kind: "call", headers: {}, text: words.join(": ") };
  if (typeof error["statusCode"] === "number") failure.status = error["statusCode"];
  return failure;
}

function isNetworkError(error: Error): boolean {
  const codes = [error, error.cause].map((one) => (one as { code?: unknown } | undefined)?.code);
  if (codes.some((code) => typeof code === "string" && NETWORK_CODE.test(code))) return true;
  return error instanceof TypeError && (error.message === "terminated" || error.message === "fetch failed");
}

function networkFailure(error: Error): ProviderFailure {
  const reason = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
  return { kind: "call", headers: {}, text: reason };
}

/** Statuses that the error types of the Messages API stand for. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
};

/** The error object of a body, which stands below `error` or is the body itself. */
function bodyError(body: string): { message?: unknown; type?: unknown; code?: unknown } {
  try {
    const parsed = JSON.parse(body) as Record<string, unknown> | null;
    return ((parsed?.["error"] as object | undefined) ?? parsed ?? {}) as { message?: unknown };
  } catch {
    return {};
  }
}

function messageOf(error: Record<string, unknown>): string {
  return typeof error["message"] === "string" ? error["message"] : "";
}

function lowerCased(headers: unknown): Record<string, string> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

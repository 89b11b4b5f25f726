import type { SdkAgentOptions } from "./sdk-options.js";

/** Headers that carry credentials, whatever the provider calls them. */
const CREDENTIAL_HEADER = /auth|key|token|secret/i;

/**
 * Credentials in an agent's options: those in `headers`, and those of a model instance. The latter
 * are read where the providers of the AI SDK keep them; an instance that keeps them elsewhere
 * contributes none.
 */
export async function secretsIn(options: SdkAgentOptions): Promise<string[]> {
  const secrets = credentials(options.headers);
  if (typeof options.model === "object") secrets.push(...credentials(await headersOf(options.model)));
  return secrets;
}

async function headersOf(model: object): Promise<unknown> {
  const { headers } = (model as { config?: { headers?: unknown } }).config ?? {};
  try {
    return typeof headers === "function" ? await (headers as () => unknown)() : headers;
  } catch {
    // A provider that finds no key throws here; then there is nothing to hide.
    return undefined;
  }
}

function credentials(headers: unknown): string[] {
  if (typeof headers !== "object" || headers === null) return [];
  return Object.entries(headers)
    .filter(([name, value]) => CREDENTIAL_HEADER.test(name) && typeof value === "string")
    .map(([, value]) => String(value).replace(/^(?:Bearer|Basic)\s+/i, ""));
}

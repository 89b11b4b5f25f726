import { carriesCredential } from "../../network/credential-header.js";
import { secretsOf } from "../process/secrets.js";
import type { SdkAgentOptions } from "./sdk-options.js";

/** Shorter keys such as `none` are placeholders of local servers, and words of ordinary sentences. */
const SHORTEST_KEY = 8;

/** The secrets of a connection: its key, and what its address holds. */
export function connectionSecrets(apiKey: string | undefined, baseURL: string | undefined): string[] {
  const keys = apiKey === undefined || apiKey.length < SHORTEST_KEY ? [] : [apiKey];
  return [...keys, ...secretsOf({ baseURL })];
}

/**
 * Credentials in an agent's options: those in `headers`, and those of a model instance. The latter
 * are read where the providers of the AI SDK keep them; an instance that keeps them elsewhere
 * contributes none.
 */
export async function secretsIn(options: SdkAgentOptions): Promise<string[]> {
  const secrets = credentials(options.headers);
  if (typeof options.model === "object") {
    const { baseURL } = (options.model as { config?: { baseURL?: unknown } }).config ?? {};
    secrets.push(...credentials(await headersOf(options.model)), ...secretsOf({ baseURL }));
  }
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
  const secrets = Object.entries(headers).filter(
    ([name, value]) => typeof value === "string" && carriesCredential([name, value]),
  );
  // By the name of a map of headers their values are taken apart: schemes, cookies.
  return secretsOf({ headers: Object.fromEntries(secrets) });
}

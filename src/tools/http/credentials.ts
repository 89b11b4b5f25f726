import { carriesCredential } from "../../network/credential-header.js";

/** Shorter values are too common to cut out of a text. */
const SHORTEST_SECRET = 8;

/** The operator's credentials among the default headers, longest first; of `Bearer abc` also `abc`. */
export function credentialsOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(carriesCredential)
    .flatMap(([, value]) => [value, ...value.split(/[\s;,=]+/)])
    .filter((value) => value.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

/** A service that repeats what it was sent must not hand the operator's credentials to the model and the log. */
export function withoutCredentials(text: string, credentials: readonly string[]): string {
  return credentials.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}

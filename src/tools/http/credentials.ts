/** Names of headers that carry credentials. */
const SENSITIVE = /auth|cookie|key|secret|token|password/i;

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

/** A value that looks like one whatever its header is called: a scheme with its token, or a long word of chance. */
const LOOKS_SECRET = /^(?:bearer|basic|token|digest)\s|^(?=.*\d)[\w+/=.~-]{20,}$/i;

export function carriesCredential([name, value]: readonly [name: string, value: string]): boolean {
  return SENSITIVE.test(name) || LOOKS_SECRET.test(value);
}

/** A service that repeats what it was sent must not hand the operator's credentials to the model and the log. */
export function withoutCredentials(text: string, credentials: readonly string[]): string {
  return credentials.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}

import { carriesCredential } from "../network/credential-header.js";
import { createRedactor, type Redactor } from "../util/redactor.js";
import { decodedBasic } from "../util/secret-spellings.js";
import { wrongOption } from "../options/check-options.js";

/** Credentials that go with every request. */
export type OpenApiAuth =
  | { type: "apiKey"; name: string; value: string; in: "header" | "query" }
  | { type: "bearer"; token: string }
  | { type: "basic"; username: string; password: string };

export interface Credentials {
  readonly headers: Headers;
  readonly queryKey?: { readonly name: string; readonly value: string };
  /** For errors: knows every value that is sent. */
  readonly inErrors: Redactor;
  /** For answers: leaves short values, which would blot out ordinary words. */
  readonly inAnswers: Redactor;
  /** Some of them must go only to the host that they are for. */
  readonly areSecret: boolean;
}

/**
 * The headers and the query key of an operator. `auth` wins over a header of
 * the same name. Throws INVALID_INPUT for a value that no header can hold
 * without repeating it: a token with a line break is still a token.
 */
export function credentialsOf({
  headers = {},
  auth,
}: {
  headers?: Record<string, string> | undefined;
  auth?: OpenApiAuth | undefined;
}): Credentials {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    setHeader(sent, { name, value, option: `headers.${name}` });
  const secrets = Object.values(headers).flatMap((value) => [
    value,
    ...value.split(/\s+/),
    ...decodedBasic(value),
  ]);
  switch (auth?.type) {
    case "bearer":
      setHeader(sent, { name: "authorization", value: `Bearer ${auth.token}`, option: "auth.token" });
      secrets.push(auth.token);
      break;
    case "basic": {
      const encoded = Buffer.from(`${auth.username}:${auth.password}`, "utf8").toString("base64");
      setHeader(sent, { name: "authorization", value: `Basic ${encoded}`, option: "auth" });
      secrets.push(encoded, auth.password);
      break;
    }
    case "apiKey":
      secrets.push(auth.value);
      if (auth.in === "header") setHeader(sent, { name: auth.name, value: auth.value, option: "auth" });
      break;
  }
  return {
    headers: sent,
    areSecret: auth !== undefined || Object.entries(headers).some(carriesCredential),
    // A very short value is no secret, and taking it out would make errors unreadable.
    inErrors: createRedactor(secrets.filter(({ length }) => length >= SHORTEST_IN_ERRORS)),
    inAnswers: createRedactor(secrets.filter(({ length }) => length >= SHORTEST_IN_ANSWERS)),
    ...(auth?.type === "apiKey" &&
      auth.in === "query" && { queryKey: { name: auth.name, value: auth.value } }),
  };
}

const SHORTEST_IN_ERRORS = 5;
const SHORTEST_IN_ANSWERS = 8;

/**
 * The error itself when neither it nor its causes hold a secret; otherwise a
 * plain one with the secrets taken out.
 */
export function errorWithoutSecrets(error: unknown, redactor: Redactor): unknown {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; depth += 1) {
    const text = `${current.message}\n${current.stack}`;
    if (redactor.text(text) !== text) {
      const clean = new Error(redactor.text(current.message));
      clean.name = current.name;
      return clean;
    }
    current = current.cause;
  }
  return error;
}

function setHeader(
  headers: Headers,
  { name, value, option }: { name: string; value: string; option: string },
): void {
  try {
    headers.set(name, value);
  } catch {
    throw wrongOption(option, "a header name and a value without line breaks or characters beyond Latin-1");
  }
}

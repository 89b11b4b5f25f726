import { isSecretName } from "./secret-names.js";

/** Signatures in addresses that storage services hand out. */
const SIGNATURE = /^(?:sig|x-(?:amz|goog)-signature)$/i;

export interface AddressSecrets {
  /** Passwords, and what stands alone where a user would. */
  passwords: string[];
  /** User and password together. */
  pairs: string[];
  /** Values of parameters with telling names. */
  parameters: string[];
}

/** The secrets in the addresses of a text, as they stand and decoded. */
export function secretsInAddresses(text: string): AddressSecrets {
  const users = [...text.matchAll(/\b[a-z][a-z0-9+.-]{0,40}:\/\/([^\s/?#]*)@/gi)].map(
    ([, user = ""]) => user,
  );
  const passwords = users.map((user) => user.slice(user.indexOf(":") + 1));
  const pairs = users.filter((user) => user.includes(":"));
  const parameters = [...text.matchAll(/[?&]([\w.-]+)=([^&#\s"']+)/g)].flatMap(([, name = "", value = ""]) =>
    isSecretName(name) || SIGNATURE.test(name) ? [value] : [],
  );
  return {
    passwords: withDecoded(passwords),
    pairs: withDecoded(pairs),
    parameters: withDecoded(parameters),
  };
}

function withDecoded(texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => [text, decoded(text)]))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

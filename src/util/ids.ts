import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A random identifier of 16 lower-case characters (80 bits), easy to read aloud
 * and to abbreviate: no i, l, o or u.
 */
export function newId(): string {
  const bytes = randomBytes(16);
  let id = "";
  for (const byte of bytes) id += ALPHABET[byte & 31];
  return id;
}

import { hash } from "node:crypto";

/** SHA-256 of the UTF-8 text (or bytes) as 64 lower-case hex characters. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** The first 16 characters of a base64url SHA-256: 96 bits, for fingerprints that are compared, never trusted. */
export function shortHash(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 16);
}

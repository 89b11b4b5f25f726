const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Random bytes that an identifier is made of. */
export const ID_BYTES = 16;

/** An identifier of 16 lower-case characters (80 bits) out of random bytes, from `start` on: no i, l, o or u. */
export function idText(bytes: Uint8Array, start = 0): string {
  let id = "";
  for (let at = start; at < start + ID_BYTES; at += 1) id += ALPHABET[(bytes[at] as number) & 31];
  return id;
}

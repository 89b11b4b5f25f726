import { randomFillSync } from "node:crypto";
import { ID_BYTES, idText } from "./id-text.js";

/** Chance for many ids at once: asking the system for it costs more than an id. */
const pool = { bytes: new Uint8Array(64 * ID_BYTES), used: 64 * ID_BYTES };

/**
 * A random identifier of 16 lower-case characters (80 bits), easy to read aloud
 * and to abbreviate: no i, l, o or u.
 */
export function newId(): string {
  const { bytes } = pool;
  if (pool.used === bytes.length) {
    randomFillSync(bytes);
    pool.used = 0;
  }
  const id = idText(bytes, pool.used);
  pool.used += ID_BYTES;
  return id;
}

import { describe, expect, it } from "vitest";
import { sha256Hex, shortHash } from "../../src/util/hash.js";

/** The example of FIPS 180-2, appendix B.1. */
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

describe("sha256Hex", () => {
  it("gives the digest of the standard's example", () => {
    expect(sha256Hex("abc")).toBe(ABC);
  });

  it("hashes text as its UTF-8 bytes", () => {
    expect(sha256Hex("€😀")).toBe(sha256Hex(new TextEncoder().encode("€😀")));
  });
});

describe("shortHash", () => {
  it("is the first twelve bytes of the digest, as sixteen characters that are safe in addresses", () => {
    expect(shortHash("abc")).toBe(Buffer.from(ABC.slice(0, 24), "hex").toString("base64url"));
    expect(shortHash("abc")).toMatch(/^[\w-]{16}$/);
  });

  it("tells texts apart", () => {
    const texts = Array.from({ length: 1_000 }, (_, index) => `text ${index}`);
    expect(new Set(texts.map(shortHash)).size).toBe(texts.length);
  });
});

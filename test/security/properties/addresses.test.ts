import { expect, it } from "vitest";
import { isRefusedAddress, isRefusedHost } from "../../../src/network/refused-addresses.js";
import fc, { propertyRuns } from "../../support/property-tests.js";

const byte = fc.integer({ min: 0, max: 255 });

it("a link-local address is refused in every spelling that a URL may have", () => {
  fc.assert(
    fc.property(byte, byte, fc.nat(5), (c, d, spelling) => {
      const number = ((169 * 256 + 254) * 256 + c) * 256 + d;
      const hex = [c, d].map((part) => part.toString(16).padStart(2, "0")).join("");
      const host = [
        `169.254.${c}.${d}`,
        String(number),
        `0x${number.toString(16)}`,
        `0${number.toString(8)}`,
        `[::ffff:169.254.${c}.${d}]`,
        `[64:ff9b::a9fe:${hex}]`,
      ][spelling] as string;
      expect(isRefusedHost(new URL(`http://${host}/`).hostname, "metadata")).toBe(true);
    }),
    propertyRuns(2_000),
  );
});

it("whatever is no address is refused when it comes from a lookup, and nothing throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
      expect(isRefusedAddress(text, "none")).toBe(false);
      if (isRefusedAddress(text, "metadata")) expect(isRefusedAddress(text, "private")).toBe(true);
    }),
    propertyRuns(2_000),
  );
});

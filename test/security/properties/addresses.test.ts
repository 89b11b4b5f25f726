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

it.each([
  ["a mapped one", "::ffff:7f00:1"],
  ["6to4", "2002:7f00:1::"],
  ["a Teredo client", "2001:0:4136:e378:8000:63bf:80ff:fffe"],
  ["a Teredo server", "2001:0:7f00:1::"],
  ["ISATAP", "2001:db8::5efe:7f00:1"],
  ["ISATAP of a global address", "2001:db8::200:5efe:7f00:1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["NAT64 of a network, 48 bits", "64:ff9b:1:7f00:0:100::"],
  ["56 bits", "64:ff9b:1:7f:0:1::"],
  ["64 bits", "64:ff9b:1::7f:0:100:0"],
  ["96 bits", "64:ff9b:1:2:3:4:7f00:1"],
])("an address of this machine is refused inside of an IPv6 one: %s", (_how, address) => {
  expect(isRefusedAddress(address, "private")).toBe(true);
});

it.each([
  "2001:4860:4860::8888",
  "2606:4700::6810:85e5",
  "64:ff9b::808:808",
  "2001:0:808:808:8000:63bf:f7f7:f7f7",
])("a public address is not: %s", (address) => {
  expect(isRefusedAddress(address, "private")).toBe(false);
});

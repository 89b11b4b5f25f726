import { expect, it } from "vitest";
import { jsonText } from "../../../src/cli/output/json-text.js";
import { OutputStream } from "../../../src/cli/output/stream.js";
import { visibleText } from "../../../src/cli/output/visible-text.js";
import { MemoryEnd } from "../../cli/support/terminal.js";
import fc, { propertyRuns } from "../../support/property-tests.js";
import {
  ACTS_ON_TERMINAL,
  HOSTILE_TEXTS,
  withoutOwnMoves,
  withoutOwnStyles,
} from "../support/hostile-text.js";

/** Code units of any kind, so lone surrogates too, mixed with what terminals react to. */
const text = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0x2000, max: 0x206f }).map((code) => String.fromCharCode(code)),
      fc.string({ unit: "grapheme", maxLength: 3 }),
      fc.constantFrom(...Object.values(HOSTILE_TEXTS)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

it("no text acts on the terminal, plain, styled or in a redrawn picture", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const end = new MemoryEnd({ isTTY: true });
      const stream = new OutputStream(end, {});
      stream.line(`${a}${stream.colors.red(b)}${stream.colors.bold(`${b}${stream.colors.dim(a)}`)}`);
      expect(withoutOwnStyles(end.text)).not.toMatch(ACTS_ON_TERMINAL);
      end.text = "";
      stream.redraw([a, b]);
      stream.redraw([b]);
      stream.keepPicture();
      expect(withoutOwnMoves(end.text)).not.toMatch(ACTS_ON_TERMINAL);
      expect(end.text.match(/\n/g)).toHaveLength(3);
    }),
    propertyRuns(500),
  );
});

it("text that was made visible stays as it is", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(visibleText(visibleText(value))).toBe(visibleText(value));
    }),
    propertyRuns(500),
  );
});

it("JSON for people means what it meant", () => {
  fc.assert(
    fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (value) => {
      const json = jsonText(value);
      expect(JSON.parse(json)).toEqual(value);
      expect(json).not.toMatch(ACTS_ON_TERMINAL);
    }),
    propertyRuns(1_000),
  );
});

import { expect, it } from "vitest";
import { createRedactor } from "../../../src/util/redactor.js";
import { StreamReport } from "../../../src/agents/sdk/stream-events.js";
import fc, { propertyRuns } from "../../support/property-tests.js";

/** Made of characters of which the text around it has none, so that finding one means finding it. */
const secret = fc.string({
  unit: fc.constantFrom("Q", "7", "+", "/", "=", '"', ".", "*"),
  minLength: 8,
  maxLength: 40,
});
const filler = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "é"), maxLength: 30 });

it("no known secret is left in a text or a value, as it stands, as JSON or as part of an address", () => {
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 4 }),
      filler,
      filler,
      (secrets, before, after) => {
        const redactor = createRedactor(secrets);
        for (const one of secrets) {
          for (const form of [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)]) {
            expect(redactor.text(before + form + after)).not.toContain(form);
            expect(redactor.value({ [form]: [{ deep: before + form }] })).toSatisfy(
              (value) => !JSON.stringify(value).includes(JSON.stringify(form).slice(1, -1)),
            );
          }
        }
      },
    ),
    propertyRuns(2_000),
  );
});

it("no secret passes a stream, however it is cut into pieces", () => {
  fc.assert(
    fc.property(
      secret,
      filler,
      filler,
      fc.array(fc.nat(60), { maxLength: 8 }),
      (one, before, after, cuts) => {
        const printed: string[] = [];
        const redactor = createRedactor([one]);
        const report = new StreamReport("sdk", { onStdout: (text) => printed.push(text) }, () => redactor);
        const text = `${before}${one}${after}`;
        const ends = [...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b);
        let from = 0;
        for (const end of ends) {
          report.part({ type: "text-delta", id: "1", text: text.slice(from, end) } as never);
          from = end;
        }
        report.part({ type: "text-end", id: "1" } as never);
        expect(printed.join("")).not.toContain(one);
      },
    ),
    propertyRuns(2_000),
  );
});

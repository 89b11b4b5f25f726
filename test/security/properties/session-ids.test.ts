import { expect, it } from "vitest";
import { isSessionId } from "../../../src/agents/cli/session-id.js";
import fc, { propertyRuns } from "../../support/property-tests.js";

it("a session id is never an option, a path, two words or more than a name", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("-", ".", "/", "a", "1", "_", ":", " ", "\n", "$") }),
  );
  fc.assert(
    fc.property(text, (id) => {
      if (!isSessionId(id)) return;
      expect(id.startsWith("-")).toBe(false);
      for (const part of ["/", "\\", "..", " ", "\n", "$", "'", '"', "\0"]) expect(id).not.toContain(part);
    }),
    propertyRuns(3_000),
  );
});

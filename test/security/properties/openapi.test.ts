import { expect, it } from "vitest";
import { createOpenApiToolsSync } from "../../../src/openapi/index.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import fc, { propertyRuns } from "../../support/property-tests.js";

const word = fc.constantFrom(
  "openapi",
  "3.0.0",
  "paths",
  "get",
  "$ref",
  "#/",
  "&a",
  "*a",
  "<<",
  "- ",
  ": ",
  "[",
  "]",
  "{",
  "}",
  "\n",
  "  ",
  '"',
  "!!js",
  "%",
  "|",
  "__proto__",
  "/x",
);

it("any text is a document or is refused with a reason, never anything else", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(word, { maxLength: 40 }).map((words) => `openapi: 3.0.0\n${words.join("")}`),
    fc.json({ maxDepth: 4 }).map((json) => `{"openapi":"3.0.0","paths":${json}}`),
  );
  fc.assert(
    fc.property(text, (document) => {
      try {
        // With a line break, so that it is a text and no path.
        createOpenApiToolsSync(`${document}\n`);
      } catch (error) {
        expect(ServiceError.is(error, "OPENAPI_SPEC_LOAD_FAILED"), String(error)).toBe(true);
      }
      expect(({} as Record<string, unknown>)["get"]).toBeUndefined();
    }),
    propertyRuns(250),
  );
});

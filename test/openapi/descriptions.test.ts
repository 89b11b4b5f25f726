import { describe, expect, it } from "vitest";
import { createOpenApiToolSync, type OpenApiOperationCuration } from "../../src/openapi/index.js";
import { specOfOne } from "./support/spec-builder.js";

function descriptionOf(operation: Record<string, unknown>, curation?: OpenApiOperationCuration): string {
  const options = curation === undefined ? {} : { operations: { call: curation } };
  return createOpenApiToolSync(specOfOne(operation), "call", options).description;
}

describe("the description of a tool", () => {
  it("is the summary of the operation", () => {
    expect(descriptionOf({ summary: "List things", description: "All of them." })).toBe("List things");
  });

  it("is the description where there is no summary", () => {
    expect(descriptionOf({ summary: " ", description: "All of them." })).toBe("All of them.");
  });

  it("is the method and the path where there is neither", () => {
    expect(descriptionOf({})).toBe("GET /things");
  });

  it("is cut at 1,024 characters", () => {
    const description = descriptionOf({ description: "word ".repeat(1_000) });
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(description).toMatch(/^word word .*…$/);
  });

  it("is the one of `operations`, uncut", () => {
    const chosen = "x".repeat(2_000);
    expect(descriptionOf({ summary: "List things" }, { description: chosen })).toBe(chosen);
  });

  it("ends with the response examples", () => {
    const responseExamples = [
      { status: 200, description: "found", value: { id: 1 } },
      { status: "4XX", value: { error: "gone" } },
      { description: "as text", value: "plain" },
      { value: null },
    ];
    expect(descriptionOf({ summary: "List things" }, { responseExamples })).toBe(
      [
        "List things",
        "",
        "Response examples:",
        '- 200 found: {"id":1}',
        '- 4XX: {"error":"gone"}',
        "- as text: plain",
        "- null",
      ].join("\n"),
    );
  });

  it("has no examples for an empty list", () => {
    expect(descriptionOf({ summary: "List things" }, { responseExamples: [] })).toBe("List things");
  });

  it("says what the tool does not send, before the examples", () => {
    const operation = { summary: "List things", parameters: [{ name: "session", in: "cookie" }] };
    expect(descriptionOf(operation, { responseExamples: [{ value: 1 }] })).toBe(
      'List things\n\nNote: The cookie parameter "session" is not sent.\n\nResponse examples:\n- 1',
    );
  });
});

import { describe, expect, it } from "vitest";
import { formatPath, quoteName, snakeCase } from "../../../src/store/tables/names.js";

describe("SQL names", () => {
  it.each([
    ["draft", "draft"],
    ["reviewNotes", "review_notes"],
    ["ReviewNotes", "review_notes"],
    ["HTTPServer", "http_server"],
    ["userID", "user_id"],
    ["v2Score", "v2_score"],
    ["already_snake", "already_snake"],
    ["plan-b", "plan_b"],
    ["a b.c", "a_b_c"],
  ])("of %s is %s", (name, expected) => {
    expect(snakeCase(name)).toBe(expected);
  });

  it("do not change when they are derived again", () => {
    for (const name of ["reviewNotes", "HTTPServer", "plan-b"]) {
      expect(snakeCase(snakeCase(name))).toBe(snakeCase(name));
    }
  });

  it("are quoted so that no name can end the quotes", () => {
    expect(quoteName('order"; DROP TABLE x; --')).toBe('"order""; DROP TABLE x; --"');
  });
});

describe("paths in messages", () => {
  it("read like the code that reaches the value", () => {
    expect(formatPath(["plan", "steps", 2, "title"])).toBe("plan.steps[2].title");
    expect(formatPath(["a", "odd key", 0])).toBe('a["odd key"][0]');
    expect(formatPath([])).toBe("");
  });
});

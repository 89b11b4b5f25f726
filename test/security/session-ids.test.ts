import { expect, it } from "vitest";
import { isSessionId } from "../../src/agents/cli/session-id.js";
import { tokenUsage } from "../../src/agents/cli/json-fields.js";
import { readUsage } from "../../src/agents/structured/read-usage.js";
import { TOOLS } from "../agents/cli/support/engines.js";

const HOSTILE = [
  "--dangerously-skip-permissions",
  "-x",
  "../../etc/passwd",
  "/etc/passwd",
  "a b",
  "a\nb",
  "a;b",
  "$(id)",
  "a\u001b[2J",
  "",
  "x".repeat(201),
  "a..b",
];

it.each(HOSTILE)("%j is no id of a session", (id) => {
  expect(isSessionId(id)).toBe(false);
});

it.each(["3f1b7c1e-6a0e-4d53-9d2e-0b0f6f1d2c3a", "ses_4f9a", "T-5f7e", "latest", "1"])("%s is one", (id) => {
  expect(isSessionId(id)).toBe(true);
});

it.each(TOOLS)("$command neither resumes nor opens a session whose id is an option", async (tool) => {
  const agent = tool.create({ cwd: "/", env: {} });
  await expect(agent.generate({ prompt: "x", resumeSession: "--yolo" })).rejects.toThrow(
    /cannot be the id of a session/,
  );
  expect(agent.resumeCommand("--yolo")).toBeUndefined();
});

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, "12"])("%j tokens are not counted", (count) => {
  expect(readUsage({ inputTokens: count, outputTokens: 5 })).toEqual({ inputTokens: 0, outputTokens: 5 });
  expect(tokenUsage({ input: count as number, output: 5 })).toEqual({ inputTokens: 0, outputTokens: 5 });
});

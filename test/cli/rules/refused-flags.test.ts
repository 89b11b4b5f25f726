import { expect, it } from "vitest";
import { callIn } from "../support/in-process.js";

it("up --hot stays with its run, so --no-wait is refused beside it", async () => {
  const { code, stderr } = await callIn("/", ["up", "flow.tsx", "--hot", "--no-wait"]);
  expect(code).toBe(4);
  expect(stderr).toContain("error CLI_USAGE --hot stays: it cannot go with --no-wait.");
});

it("a command below another one is refused at a gateway by its whole name", async () => {
  const { code, stderr } = await callIn("/", ["memory", "threads", "--gateway", "http://127.0.0.1:1"]);
  expect(code).toBe(4);
  expect(stderr).toContain("error CLI_USAGE treadle memory threads cannot be done through a gateway:");
});

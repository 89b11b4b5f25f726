import { expect, it, onTestFinished } from "vitest";
import { withoutExit } from "../../src/loader/without-exit.js";

it("A module that puts its own process.exit in place of Node's while it is loaded keeps it", async () => {
  const { exit } = process;
  onTestFinished(() => {
    process.exit = exit;
  });
  const own = (() => undefined) as unknown as typeof process.exit;
  await withoutExit({ shown: "flow.tsx", paths: ["/no/such/flow.mjs"] }, async () => {
    process.exit = own;
  });
  expect(process.exit).toBe(own);
  await withoutExit({ shown: "flow.tsx", paths: ["/no/such/flow.mjs"] }, async () => undefined);
  expect(process.exit).toBe(own);
});

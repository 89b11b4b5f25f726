import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { Workspace } from "../cli/support/treadle.js";
import { EXAMPLES } from "./support/example-files.js";

test("a support desk remembers in its second run what it did in the first", async () => {
  const workspace = new Workspace();
  symlinkSync(EXAMPLES, workspace.path("examples"));
  const run = async (id: string) => {
    const { document } = await workspace.json<{ output: object }>([
      ...["up", "examples/16-support-desk.tsx", "--run-id", id],
    ]);
    return document.output;
  };
  expect(await run("monday")).toEqual({
    answers: ["Order 3 is refunded.", "Order 7 is on its way."],
    recalled: 0,
  });
  expect(await run("tuesday")).toEqual({
    answers: ["Order 3 was refunded before.", "Order 7 is on its way."],
    recalled: 2,
  });
});

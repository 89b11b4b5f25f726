import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import workflow from "../../examples/20-time-travel.js";
import { folderWith } from "./support/folder.js";

it("a fork with another margin keeps the measurement, and decides and announces anew", async () => {
  const rootDir = folderWith({});
  const first = testWorkflow(workflow, { options: { rootDir } });
  expect((await first.run()).output).toEqual({ text: "It costs 15.00." });
  const second = await first.fork({ nodeId: "decide", input: { margin: 0.4 } });
  expect((await second.resume()).output).toEqual({ text: "It costs 17.50." });
  const started = (await second.events()).flatMap(({ event }) =>
    event.type === "NodeStarted" ? [event.nodeId] : [],
  );
  expect(started).toEqual(["decide", "announce"]);
  expect(readFileSync(join(rootDir, "price.md"), "utf8")).toBe("It costs 17.50.\n");
});

import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { openCrowd } from "../support/chatter.js";

it("Many clients of many runs, which break off and come back, each get every event once and in order", async () => {
  const options = { runs: 8, sockets: 40, eventStreams: 6, tasks: 12, taskMs: 5, seed: 1 };
  const crowd = await openCrowd({ folder: temporaryFolder(), ...options });
  onTestFinished(() => crowd.close());
  const { wrong, connections, events } = await crowd.round("r");
  expect(wrong).toEqual([]);
  expect(connections).toBeGreaterThan(46);
  expect(events).toBeGreaterThan(46 * 12 * 3);
});

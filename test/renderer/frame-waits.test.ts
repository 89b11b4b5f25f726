import { expect, it } from "vitest";
import { Absence, FrameWaits } from "../../src/renderer/frame-waits.js";

it("a tree that takes the place of one that has waited for too long is not waited for anew", async () => {
  const before = new Absence();
  before.sinceMs -= 10_000;
  const waits = new FrameWaits(new Absence());
  waits.goOnFrom(new FrameWaits(before));
  await waits.settled();
  expect(waits.tooLong).toMatchObject({ code: "WORKFLOW_RENDER_FAILED" });
});

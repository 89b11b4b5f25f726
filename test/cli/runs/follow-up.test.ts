import { describe, expect, it, vi } from "vitest";
import { createColors } from "../../../src/cli/output/styles.js";
import { followUp, followUpOf, takenUp } from "../../../src/cli/runs/follow-up.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { memoryTerminal } from "../support/terminal.js";

const remedy = { action: "resume", runId: "h4" } as const;

it("an answer to a run that no process drives is taken up by a waiting process, or by a command", () => {
  const { json, text } = followUp("no-process", {
    remedy,
    call: { options: {}, terminal: memoryTerminal() },
  });
  expect(json).toEqual({ driven: false, resume: "treadle up --resume h4" });
  const said = text(createColors(false));
  for (const who of ["--wait", "--detach", "--hot", "gateway", "supervise"]) expect(said).toContain(who);
  expect(said).toMatch(/takes it up by itself; otherwise: treadle up --resume h4$/);
});

it("a run that is held is continued by a command alone", () => {
  const { json, text } = followUp("held", { remedy, call: { options: {}, terminal: memoryTerminal() } });
  expect(json).toEqual({ driven: false, resume: "treadle up --resume h4" });
  expect(text(createColors(false))).not.toContain("gateway");
});

describe("whether a process waits with the run shows when it takes up the answer:", () => {
  const call = (isInteractive: boolean) => ({
    terminal: memoryTerminal({ isInteractive }),
    options: {},
    documents: undefined,
  });
  const isDriven = async () => false;
  const resumeRemedy = async () => remedy;

  it("a person sees that it was taken up", async () => {
    const isTakenUp = vi.fn(async () => isTakenUp.mock.calls.length > 2);
    const { json, text } = await followUpOf(call(true), { isDriven, isTakenUp, resumeRemedy }, "h4");
    expect(json).toEqual({ driven: true });
    expect(text(createColors(false))).toContain("has taken it up");
  });

  it("or that no process has, and how to continue", async () => {
    const { json, text } = followUp("none-in-time", {
      remedy,
      call: { options: {}, terminal: memoryTerminal() },
    });
    expect(json).toEqual({ driven: false, resume: "treadle up --resume h4" });
    expect(text(createColors(false))).toMatch(/no process that waits .*: treadle up --resume h4$/);
  });

  it("a program is not kept waiting", async () => {
    const isTakenUp = vi.fn(async () => true);
    const { json } = await followUpOf(call(false), { isDriven, isTakenUp, resumeRemedy }, "h4");
    expect(json).toMatchObject({ driven: false });
    expect(isTakenUp).not.toHaveBeenCalled();
  });

  it("the wait is no longer than a process needs that looks once a second", async () => {
    const clock = new VirtualClock();
    let isOver = false;
    const looked = takenUp(async () => false, clock).finally(() => {
      isOver = true;
    });
    const startedAt = clock.now();
    while (!isOver) {
      await new Promise(setImmediate);
      clock.moveTo(clock.nextTimer() ?? clock.now());
    }
    expect(await looked).toBe(false);
    expect(clock.now() - startedAt).toBe(1_500);
  });
});

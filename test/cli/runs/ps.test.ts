import { describe, expect, it } from "vitest";
import { SHOWN_STATES } from "../../../src/operations/read/shown-states.js";
import { callIn } from "../support/in-process.js";
import { Workspace } from "../support/treadle.js";
import { FAILING, GATED, HELLO, SIX } from "../support/workflows.js";

interface Runs {
  runs: { runId: string }[];
  nextCursor: string | null;
}

/** Runs in every state that can be had quickly; `o` has lost its process. */
async function workspaceOfStates() {
  const workspace = new Workspace({ "h.tsx": HELLO, "f.tsx": FAILING, "g.tsx": GATED, "o.tsx": SIX });
  for (const id of ["h", "f", "g"]) await workspace.treadle(["up", `${id}.tsx`, "--run-id", id]);
  const running = workspace.start(["up", "o.tsx", "--run-id", "o", "--verbose"]);
  await running.seen("task 3 is at work");
  running.process.kill("SIGKILL");
  await running.done;
  return workspace;
}

describe("ps", () => {
  it("shows and filters by the same words", async () => {
    const { folder } = await workspaceOfStates();
    const { stdout } = await callIn(folder, ["ps"]);
    const shown = stdout.split("\n").flatMap((line) => {
      const [, runId, state] = /^(\w) +\w+ +([a-z-]+) /.exec(line) ?? [];
      return runId === undefined ? [] : [[runId, state as string] as const];
    });
    expect(new Map(shown)).toEqual(
      new Map([
        ["o", "orphaned"],
        ["g", "waiting-approval"],
        ["f", "failed"],
        ["h", "finished"],
      ]),
    );
    for (const [runId, state] of shown) {
      const found = await callIn(folder, ["ps", "--status", state, "--json"]);
      expect(
        (JSON.parse(found.stdout) as Runs).runs.map((run) => run.runId),
        state,
      ).toEqual([runId]);
    }
    const none = await callIn(folder, ["ps", "--status", "running,stale", "--json"]);
    expect(JSON.parse(none.stdout)).toEqual({ runs: [], nextCursor: null });
  });

  it("lists those with failures, those that wait for something, and those with a question to the caller", async () => {
    const { folder } = await workspaceOfStates();
    const ids = async (...flags: string[]) => {
      const { stdout } = await callIn(folder, ["ps", "--json", ...flags]);
      return (JSON.parse(stdout) as Runs).runs.map(({ runId }) => runId);
    };
    expect(await ids("--with-failures")).toEqual(["f"]);
    expect(await ids("--waits-for", "approval")).toEqual(["g"]);
    expect(await ids("--waits-for", "timer,quota")).toEqual([]);
    expect(await ids("--needs-me")).toEqual(["g"]);
    const { code, stderr } = await callIn(folder, ["ps", "--waits-for", "luck"]);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("approval, event, timer") });
  });

  it("lists those with a text in id or input, and those that are annotated", async () => {
    const workspace = new Workspace({ "h.tsx": HELLO });
    const up = (id: string, ...flags: string[]) =>
      workspace.treadle(["up", "h.tsx", "--run-id", id, ...flags]);
    await up("first", "--annotations", '{"team":"core","pr":12}');
    await up("second", "--annotations", '{"team":"edge"}');
    const ids = async (...flags: string[]) => {
      const { stdout } = await callIn(workspace.folder, ["ps", "--json", ...flags]);
      return (JSON.parse(stdout) as Runs).runs.map(({ runId }) => runId);
    };
    expect(await ids("--text", "FIR")).toEqual(["first"]);
    expect(await ids("--text", "nothing")).toEqual([]);
    expect(await ids("--annotation", "team=edge")).toEqual(["second"]);
    expect(await ids("--annotation", "team=core", "--annotation", "pr=12")).toEqual(["first"]);
    expect(await ids("--annotation", "team=edge", "--annotation", "pr=12")).toEqual([]);
    const { code, stderr } = await callIn(workspace.folder, ["ps", "--annotation", "team"]);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("team=core") });
  });

  it("pages through what a filter leaves, and says that there is more", async () => {
    const { folder } = await workspaceOfStates();
    const first = await callIn(folder, [
      "ps",
      "--status",
      "orphaned,failed,finished",
      "--limit",
      "2",
      "--json",
    ]);
    const { runs, nextCursor } = JSON.parse(first.stdout) as Runs;
    expect(runs.map(({ runId }) => runId)).toEqual(["o", "f"]);
    const second = await callIn(folder, [
      "ps",
      "--status",
      "finished",
      "--cursor",
      nextCursor as string,
      "--json",
    ]);
    expect((JSON.parse(second.stdout) as Runs).runs.map(({ runId }) => runId)).toEqual(["h"]);
    expect((await callIn(folder, ["ps", "--limit", "1"])).stdout).toContain("and more (--limit");
  });

  it("refuses a word that no run is shown with, and lists those there are", async () => {
    const { code, stderr } = await callIn(process.cwd(), ["ps", "--status", "done"]);
    expect(code).toBe(4);
    expect(stderr).toContain(SHOWN_STATES.join(", "));
    expect(stderr).toContain('received "done"');
  });

  it("shows why and inspect with the word of the list", async () => {
    const { folder } = await workspaceOfStates();
    for (const command of ["why", "inspect"]) {
      expect((await callIn(folder, [command, "h"])).stdout).toMatch(/^h finished/);
      expect((await callIn(folder, [command, "o"])).stdout).toMatch(/^o orphaned/);
    }
  });

  it("exits with 3 on --fail-on-waiting if one of the runs shown waits", async () => {
    const { folder } = await workspaceOfStates();
    expect((await callIn(folder, ["ps"])).code).toBe(0);
    expect((await callIn(folder, ["ps", "--fail-on-waiting"])).code).toBe(3);
    expect((await callIn(folder, ["ps", "--fail-on-waiting", "--status", "finished"])).code).toBe(0);
    expect((await callIn(folder, ["ps", "--watch", "--fail-on-waiting"])).code).toBe(3);
  });

  it.each([
    ["ps", "--watch"],
    ["supervise", "--dry-run"],
  ])("refuses to look without a pause: %s", async (...argv) => {
    const workspace = new Workspace();
    const { code, stderr } = await workspace.treadle([...argv, "--interval", "0s"]);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining("--interval: expected 10ms or more"),
    });
  });

  it("looks again and again with --watch until it is stopped, and touches no run", async () => {
    const workspace = await workspaceOfStates();
    const watching = workspace.start([
      "ps",
      "-w",
      "--interval",
      "50ms",
      "--json",
      "--filter-output",
      "runs.runId",
    ]);
    await watching.seen('{"runs":[{"runId":"o"},{"runId":"g"},{"runId":"f"},{"runId":"h"}]}\n{"runs"');
    await workspace.treadle(["up", "h.tsx", "--run-id", "i"]);
    await watching.seen('{"runs":[{"runId":"i"},');
    watching.process.kill("SIGINT");
    expect((await watching.done).code).toBe(130);
  });

  it("refuses --interval alone", async () => {
    const { code, stderr } = await callIn(process.cwd(), ["ps", "--interval", "1s"]);
    expect(code).toBe(4);
    expect(stderr).toContain("--interval needs --watch");
  });
});

describe("cancel", () => {
  it("chooses by the words that ps shows", async () => {
    const { folder } = await workspaceOfStates();
    const { stdout } = await callIn(folder, ["cancel", "--status", "orphaned", "--dry-run", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ runId: "o" }] });
  });
});

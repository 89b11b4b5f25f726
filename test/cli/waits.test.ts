import { describe, expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";
import { GATED, TIMED } from "./support/workflows.js";

describe("up with a run that waits", () => {
  it("stays while only a timer is left and finishes the run itself", async () => {
    const { code, document } = await new Workspace({ "w.tsx": TIMED }).json(["up", "w.tsx"]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ status: "finished", output: { ok: true } });
  });

  it("stays for a wait with a deadline, and fails when it has passed", async () => {
    const deadline = GATED.replace('<Approval id="ship"', '<Approval id="ship" timeoutMs={300}');
    const { code, document } = await new Workspace({ "w.tsx": deadline }).json(["up", "w.tsx"]);
    expect(code).toBe(1);
    expect(document).toMatchObject({ status: "failed", error: { details: { nodeId: "ship" } } });
  });

  it("stays for people too with --wait, and continues as soon as they have answered", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    const running = workspace.start(["up", "w.tsx", "--run-id", "g", "--wait", "--json"]);
    await running.seen("waiting for approval: ship");
    const approved = await workspace.json(["approve", "g", "--yes"]);
    expect(approved.code).toBe(0);
    await running.seen("waiting for signal payment");
    await workspace.treadle(["signal", "g", "payment", "--data", '{"amount":3}']);
    const { code, stdout } = await running.done;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "finished", output: { amount: 3 } });
  });

  it("takes up a decision from when no process ran it", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    await workspace.treadle(["up", "w.tsx", "--run-id", "g"]);
    const approved = await workspace.json(["approve", "g", "--yes", "--note", "fine", "--by", "ada"]);
    expect(approved.document).toMatchObject({
      runId: "g",
      nodeId: "ship",
      approved: true,
      decidedBy: "ada",
      driven: false,
      resume: "treadle up --resume g",
    });
    const early = await workspace.json(["signal", "g", "payment", "--data", '{"amount":3}']);
    expect(early.code).toBe(0);
    const { document } = await workspace.json(["up", "--resume", "g"]);
    expect(document).toMatchObject({ status: "finished", output: { amount: 3 } });
    const row = await workspace.json(["output", "g", "ship"]);
    expect(row.document).toMatchObject({ approved: true, note: "fine", decidedBy: "ada" });
  });

  it("lists what it waits for, with the commands, as data too", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    const { document } = await workspace.json(["up", "w.tsx", "--run-id", "g"]);
    expect(document).toMatchObject({
      status: "waiting-approval",
      blockers: [{ kind: "approval", nodeId: "ship", fix: "treadle approve g ship" }],
      resume: "treadle up --resume g",
    });
  });
});

describe("why", () => {
  it("distinguishes a run that no process drives from one that waits", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    await workspace.treadle(["up", "w.tsx", "--run-id", "g"]);
    const { stdout } = await workspace.treadle(["why", "latest"]);
    expect(stdout).toContain("Ship it?");
    expect(stdout).toContain("treadle approve g ship");
  });

  it("names the database in its commands where they would not find it", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    await workspace.treadle(["up", "w.tsx", "--run-id", "g", "--db", "other.db"]);
    const { stdout } = await workspace.treadle(["why", "g", "--db", "other.db"]);
    expect(stdout).toContain("treadle approve g ship --db other.db");
  });
});

describe("inbox", () => {
  it("lists what waits for people across runs, oldest first", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    expect((await workspace.treadle(["up", "w.tsx", "--run-id", "older"])).code).toBe(3);
    await workspace.treadle(["up", "w.tsx", "--run-id", "newer"]);
    await workspace.treadle(["approve", "older", "--yes"]);
    await workspace.treadle(["up", "--resume", "older"]);
    const { document } = await workspace.json<{ items: { runId: string; kind: string }[] }>(["inbox"]);
    expect(document.items.map(({ runId, kind }) => `${runId} ${kind}`)).toEqual([
      "newer approval",
      "older event",
    ]);
    const { stdout } = await workspace.treadle(["inbox", "--limit", "1"]);
    expect(stdout).toContain("treadle approve newer ship");
    expect(stdout).toContain("1 more");
  });

  it("is empty when nothing waits", async () => {
    const workspace = new Workspace({ "w.tsx": TIMED });
    await workspace.treadle(["up", "w.tsx"]);
    expect((await workspace.treadle(["inbox"])).stdout).toBe("Nothing waits for you.\n");
  });
});

describe("supervise", () => {
  it("drives a run on after a decision, and stops on a signal without touching anything else", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    await workspace.treadle(["up", "w.tsx", "--run-id", "g"]);
    await workspace.treadle(["approve", "g", "--yes"]);
    const due = await workspace.json(["supervise", "--dry-run"]);
    expect(due.document).toMatchObject({ runs: [{ runId: "g", reason: "answered" }] });
    const supervisor = workspace.start(["supervise", "--interval", "50ms", "--json"]);
    await supervisor.seen('"status":"waiting-event"');
    await workspace.treadle(["signal", "g", "payment", "--data", '{"amount":1}']);
    await supervisor.seen('"status":"finished"');
    supervisor.process.kill("SIGINT");
    const { code, stdout } = await supervisor.done;
    expect(code).toBe(130);
    for (const line of stdout.trim().split("\n")) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it("says which file is gone and continues", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    await workspace.treadle(["up", "w.tsx", "--run-id", "g"]);
    await workspace.treadle(["approve", "g", "--yes"]);
    const { rmSync } = await import("node:fs");
    rmSync(workspace.path("w.tsx"));
    const supervisor = workspace.start(["supervise", "--interval", "50ms", "--json"]);
    await supervisor.seen("WORKFLOW_NOT_FOUND");
    supervisor.process.kill("SIGINT");
    expect((await supervisor.done).code).toBe(130);
  });
});

describe("a run that waits for a child run", () => {
  const NESTED = GATED.replace("Sequence,", "Sequence, Subflow, Timer,")
    .replace("export default service((ctx) => (", "const inner = service((ctx) => (")
    .replace("<Sequence>", '<Sequence>\n      <Timer id="pause" duration="200ms" />')
    .concat(`
export default service(() => (
  <Workflow name="outer">
    <Subflow id="part" workflow={inner} mode="childRun" output={outputs.output} />
  </Workflow>
));
`);

  it("stays while the child waits for a timer, and then names the child's request, once", async () => {
    const workspace = new Workspace({ "w.tsx": NESTED });
    const { code, document } = await workspace.json(["up", "w.tsx", "--run-id", "o"]);
    expect(code).toBe(3);
    const blockers = [{ kind: "approval", nodeId: "ship", fix: "treadle approve o:part:0 ship" }];
    expect(document).toMatchObject({ runId: "o", blockers });
    expect((await workspace.json(["why", "o"])).document).toMatchObject({ blockers });
    const inbox = await workspace.json<{ items: { runId: string }[] }>(["inbox"]);
    expect(inbox.document.items.map(({ runId }) => runId)).toEqual(["o:part:0"]);
  });

  it("is continued through its parent when the child is named", async () => {
    const workspace = new Workspace({ "w.tsx": NESTED });
    await workspace.treadle(["up", "w.tsx", "--run-id", "o"]);
    await workspace.treadle(["approve", "o:part", "--yes"]);
    await workspace.treadle(["signal", "o:part", "payment", "--data", '{"amount":8}']);
    const { code, document } = await workspace.json(["up", "--resume", "o:part"]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ runId: "o", status: "finished" });
    expect((await workspace.json(["output", "o", "part"])).document).toMatchObject({ amount: 8 });
  });
});

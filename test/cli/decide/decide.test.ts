import { describe, expect, it } from "vitest";
import { runCommandLine } from "../../../src/cli/program.js";
import { memoryTerminal } from "../support/terminal.js";
import { Workspace } from "../support/treadle.js";
import { GATED } from "../support/workflows.js";

const CHOICES = GATED.replace(
  "decision: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),",
  "choice: z.object({ selected: z.string(), notes: z.string().nullable() }), order: z.object({ ranked: z.array(z.string()), notes: z.string().nullable() }),",
)
  .replace("Sequence,", "Sequence, Parallel,")
  .replace(
    '<Approval id="ship" output={outputs.decision} request={{ title: "Ship it?", summary: "To everybody." }} />',
    `<Parallel>
      <Approval id="which" mode="select" output={outputs.choice} request={{ title: "Which?" }} options={[{ key: "a", label: "Plan A" }, { key: "b", label: "Plan B", summary: "cheaper" }]} />
      <Approval id="order" mode="rank" output={outputs.order} request={{ title: "In which order?" }} options={[{ key: "x", label: "X" }, { key: "y", label: "Y" }]} />
    </Parallel>`,
  );

const ANSWERED = GATED.replace("Approval, Signal,", "HumanTask, Signal,").replace(
  /<Approval id="ship".*\/>/,
  '<HumanTask id="ship" output={outputs.payment} prompt="How much?" />',
);

async function waiting(text: string) {
  const workspace = new Workspace({ "w.tsx": text });
  const up = await workspace.treadle(["up", "w.tsx", "--run-id", "g"]);
  expect(up.code, up.stderr).toBe(3);
  return workspace;
}

/** A person at a terminal, in this process. */
async function person(workspace: Workspace, argv: string[], ...answers: string[]) {
  const terminal = memoryTerminal({ cwd: workspace.folder, isInteractive: true, answers });
  const code = await runCommandLine(argv, terminal);
  return { code, stdout: terminal.outEnd.text, stderr: terminal.errEnd.text };
}

describe("approve and deny", () => {
  it("show the whole request before anything is decided", async () => {
    const workspace = await waiting(GATED);
    const { code, stderr } = await workspace.treadle(["approve", "g"]);
    expect(code).toBe(4);
    for (const text of ["Ship it?", "To everybody.", "ship", "g (gated)", "waiting", "--yes"]) {
      expect(stderr).toContain(text);
    }
    expect((await workspace.json(["why", "g"])).document).toMatchObject({ blockers: [{ kind: "approval" }] });
  });

  it("ask on a terminal, and decide nothing without a yes", async () => {
    const workspace = await waiting(GATED);
    const declined = await person(workspace, ["approve", "g"], "n");
    expect(declined).toMatchObject({ code: 2, stdout: "Nothing was decided.\n" });
    expect(declined.stderr).toContain("Approve this? [y/N]");
    const approved = await person(workspace, ["approve", "g"], "y");
    expect(approved.code).toBe(0);
    expect(approved.stdout).toContain("approved ship");
    expect(approved.stdout).toContain("treadle up --resume g");
  });

  it("only show the request with --dry-run", async () => {
    const workspace = await waiting(GATED);
    const { code, document } = await workspace.json(["approve", "g", "--dry-run"]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ dryRun: true, request: { nodeId: "ship", status: "requested" } });
  });

  it("refuse a second decision with the first one", async () => {
    const workspace = await waiting(GATED);
    await workspace.treadle(["deny", "g", "--yes", "--by", "ada"]);
    const second = await workspace.json(["approve", "g", "ship", "--yes"]);
    expect(second).toMatchObject({
      code: 4,
      document: {
        error: { code: "ALREADY_DECIDED", details: { decision: { approved: false, decidedBy: "ada" } } },
      },
    });
    // Also once the run has taken it up, and without naming the task.
    await workspace.treadle(["up", "--resume", "g"]);
    expect((await workspace.json(["approve", "g", "ship", "--yes"])).document).toMatchObject({
      error: { code: "ALREADY_DECIDED" },
    });
  });

  it("obey who may decide", async () => {
    const workspace = await waiting(
      GATED.replace('<Approval id="ship"', '<Approval id="ship" allowedUsers={["ada"]}'),
    );
    expect((await workspace.json(["approve", "g", "--yes", "--by", "bob"])).document).toMatchObject({
      error: { code: "FORBIDDEN" },
    });
    expect((await workspace.json(["approve", "g", "--yes", "--by", "ada"])).code).toBe(0);
  });

  it("need a scope that may decide, which the commands for people name", async () => {
    const workspace = await waiting(
      GATED.replace('<Approval id="ship"', '<Approval id="ship" allowedScopes={["release eu", "admin"]}'),
    );
    const fix = "treadle approve g ship --scope 'release eu'";
    expect((await workspace.json(["why", "g"])).document).toMatchObject({ blockers: [{ fix }] });
    expect((await workspace.json(["inbox"])).document).toMatchObject({ items: [{ fix }] });
    const refused = await workspace.treadle(["approve", "g", "--yes", "--scope", "other"]);
    expect(refused.code).toBe(4);
    for (const text of ["FORBIDDEN", "release eu, admin", "--scope"]) expect(refused.stderr).toContain(text);
    const denied = await workspace.treadle(["deny", "g", "--yes", "--scope", "other", "--scope", "admin"]);
    expect(denied.code, denied.stderr).toBe(0);
  });

  it("list the candidates when several requests wait", async () => {
    const workspace = await waiting(CHOICES);
    const { document } = await workspace.json(["approve", "g", "--yes"]);
    expect(document).toMatchObject({
      error: {
        code: "INVALID_INPUT",
        summary: expect.stringMatching(/name one: .*which \(Which\?\)/),
        details: { candidates: expect.arrayContaining([expect.objectContaining({ nodeId: "order" })]) },
      },
    });
  });

  it("take a selection and a ranking from flags", async () => {
    const workspace = await waiting(CHOICES);
    expect((await workspace.json(["approve", "g", "which", "--yes"])).document).toMatchObject({
      error: { code: "CLI_USAGE", summary: expect.stringContaining("--select") },
    });
    expect(
      (await workspace.json(["approve", "g", "which", "--select", "c", "--yes"])).document,
    ).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
    expect(
      (await workspace.json(["approve", "g", "which", "--rank", "a,b", "--yes"])).document,
    ).toMatchObject({
      error: { code: "CLI_USAGE", summary: expect.stringContaining("--rank") },
    });
    expect((await workspace.json(["approve", "g", "which", "--select", "b", "--yes"])).code).toBe(0);
    // The other one is now the only one that waits.
    expect((await workspace.json(["approve", "g", "--rank", "y,x", "--yes"])).code).toBe(0);
    await workspace.treadle(["up", "--resume", "g"]);
    expect((await workspace.json(["output", "g", "which"])).document).toMatchObject({ selected: "b" });
    expect((await workspace.json(["output", "g", "order"])).document).toMatchObject({ ranked: ["y", "x"] });
  });

  it("ask for a selection on a terminal, with what there is to choose", async () => {
    const workspace = await waiting(CHOICES);
    const { code, stderr } = await person(workspace, ["approve", "g", "which"], "b", "yes");
    expect(code).toBe(0);
    expect(stderr).toMatch(/b {2}Plan B {2}cheaper/);
    expect(stderr).toContain("One of a, b: ");
  });

  it("check the answer to a human task against its schema before it is kept", async () => {
    const workspace = await waiting(ANSWERED);
    const wrong = await workspace.json(["approve", "g", "--data", '{"amount":"much"}', "--yes"]);
    expect(wrong.document).toMatchObject({
      error: { code: "INVALID_INPUT", summary: expect.stringContaining("amount") },
    });
    expect((await workspace.json(["approve", "g", "--data", '{"amount":9}', "--yes"])).code).toBe(0);
    await workspace.treadle(["up", "--resume", "g"]);
    expect((await workspace.json(["output", "g", "ship"])).document).toMatchObject({ amount: 9 });
  });
});

describe("the answer to a human task", () => {
  it("may be given as JSON in the note", async () => {
    const workspace = await waiting(ANSWERED);
    const wrong = await workspace.json(["approve", "g", "ship", "--note", '{"amount":"much"}', "--yes"]);
    expect(wrong.document).toMatchObject({ error: { code: "INVALID_INPUT" } });
    const right = await workspace.treadle(["approve", "g", "ship", "--note", '{"amount":9}', "--yes"]);
    expect(right.code, right.stderr).toBe(0);
    await workspace.treadle(["up", "--resume", "g"]);
    expect((await workspace.json(["output", "g", "ship"])).document).toMatchObject({ amount: 9 });
  });

  it("is still asked for when the note is only a note", async () => {
    const workspace = await waiting(ANSWERED);
    const silent = await workspace.json(["approve", "g", "--note", "as agreed", "--yes"]);
    expect(silent.document).toMatchObject({
      error: { code: "CLI_USAGE", summary: expect.stringContaining("--data") },
    });
  });
});

describe("signal", () => {
  it("checks its data against the waiter's schema, and keeps nothing that does not fit", async () => {
    const workspace = await waiting(GATED);
    await workspace.treadle(["approve", "g", "--yes"]);
    await workspace.treadle(["up", "--resume", "g"]);
    const wrong = await workspace.json(["signal", "g", "payment", "--data", '{"amount":"x"}']);
    expect(wrong).toMatchObject({
      code: 4,
      document: { error: { code: "INVALID_INPUT", summary: expect.stringContaining("amount") } },
    });
    expect((await workspace.json(["why", "g"])).document).toMatchObject({ blockers: [{ kind: "event" }] });
  });

  it("takes data from standard input", async () => {
    const workspace = await waiting(GATED);
    const sent = await workspace.json(["signal", "g", "payment", "--data", "-"], { input: '{"amount":4}' });
    expect(sent.document).toMatchObject({ signal: "payment", driven: false });
  });
});

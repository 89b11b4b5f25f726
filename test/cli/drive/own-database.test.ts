import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD } from "../support/workflows.js";

const WAITING = `${HEAD}
const schemas = { ask: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }) };
const { Workflow, Approval, service, outputs } = createService(schemas, { dbPath: "./own runs.db" });
export default service(() => (
  <Workflow name="waiting"><Approval id="ask" output={outputs.ask} request={{ title: "Go?" }} /></Workflow>
));
`;

it("the commands that up suggests name the database of a workflow that has its own", async () => {
  const workspace = new Workspace({ "flow.tsx": WAITING });
  const up = await workspace.json<{ resume: string; blockers: { fix: string }[] }>([
    "up",
    "flow.tsx",
    "--run-id",
    "r",
  ]);
  expect(up.document.resume).toBe("treadle up --resume r --db 'own runs.db'");
  expect(up.document.blockers.map(({ fix }) => fix)).toEqual(["treadle approve r ask --db 'own runs.db'"]);
  const text = await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
  expect(text.stderr).toContain("treadle approve r ask --db 'own runs.db'");
  const named = ["--db", "own runs.db"];
  expect(await workspace.treadle(["approve", "r", "ask", "--yes", ...named])).toMatchObject({ code: 0 });
  expect(await workspace.treadle(["up", "--resume", "r", ...named])).toMatchObject({ code: 0 });
});

it("it goes without saying where the first run of a folder makes the usual one", async () => {
  const workspace = new Workspace({ "flow.tsx": WAITING.replace(', { dbPath: "./own runs.db" }', "") });
  const { document } = await workspace.json(["up", "flow.tsx", "--run-id", "r"]);
  expect(document).toMatchObject({ resume: "treadle up --resume r" });
});

it("no command is suggested for a run in memory, which ends with its process", async () => {
  const workspace = new Workspace({ "flow.tsx": WAITING.replace("./own runs.db", ":memory:") });
  const { stderr, code } = await workspace.treadle(["up", "flow.tsx"]);
  expect(code).toBe(3);
  expect(stderr).toContain("ask waits for a decision: Go?");
  expect(stderr).toContain("its database is in memory");
  expect(stderr).not.toContain("treadle ");
  const { document } = await workspace.json(["up", "flow.tsx"]);
  expect(JSON.stringify(document)).not.toContain("treadle ");
});

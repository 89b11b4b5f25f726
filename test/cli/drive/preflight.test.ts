import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";

/** A workflow of two agents, with what their checks answer. */
const workflow = (checks: { first: string; fallback?: string }, props = "") => `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({
  input: z.object({ n: z.number().optional() }),
  output: z.object({ text: z.string() }),
});
const agent = (id: string, preflight: () => Promise<void>) => ({ id, preflight, generate: async () => ({ text: "from " + id }) });
const first = agent("first", async () => { ${checks.first} });
const fallback = agent("spare", async () => { ${checks.fallback ?? ""} });
export default service(() => (
  <Workflow name="agents">
    <Task id="ask" agent={first} fallbackAgent={fallback} output={outputs.output} ${props}>say it</Task>
  </Workflow>
));
`;

const NO_LOGIN = 'throw new Error("nobody is signed in");';

describe("up asks agents before it starts", () => {
  it("and starts nothing when the first agent of a task cannot work", async () => {
    const workspace = new Workspace({ "w.tsx": workflow({ first: NO_LOGIN }) });
    const { code, document } = await workspace.json(["up", "w.tsx"]);
    expect(code).toBe(4);
    expect(document).toMatchObject({
      error: {
        code: "AGENT_PREFLIGHT_FAILED",
        summary: expect.stringContaining("first: nobody is signed in"),
        details: { agents: ["first"] },
      },
    });
    expect((await workspace.json(["ps"])).document).toMatchObject({ error: { code: "CLI_DB_NOT_FOUND" } });
  });

  it("and only warns about one that a fallback would use", async () => {
    const workspace = new Workspace({ "w.tsx": workflow({ first: "", fallback: NO_LOGIN }) });
    const { code, stdout, stderr } = await workspace.treadle(["up", "w.tsx"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ text: "from first" });
    expect(stderr).toContain("fallback agent spare: nobody is signed in");
  });

  it("but not those of tasks that are skipped", async () => {
    const workspace = new Workspace({ "w.tsx": workflow({ first: NO_LOGIN }, "skipIf") });
    expect((await workspace.treadle(["up", "w.tsx"])).code).toBe(0);
  });

  it("unless it is switched off", async () => {
    const workspace = new Workspace({ "w.tsx": workflow({ first: NO_LOGIN }, "noRetry") });
    const { document } = await workspace.json(["up", "w.tsx", "--no-preflight"]);
    expect(document).toHaveProperty("runId");
  });

  it("after it has checked the input", async () => {
    const workspace = new Workspace({ "w.tsx": workflow({ first: NO_LOGIN }) });
    const { document } = await workspace.json(["up", "w.tsx", "--set", "n=many"]);
    expect(document).toMatchObject({ error: { code: "INVALID_INPUT" } });
  });
});

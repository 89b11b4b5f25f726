import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD, HELLO } from "../support/workflows.js";

const PICKY = `${HEAD}
const { Workflow, Task, service, outputs } = createService({
  input: z.object({ env: z.enum(["test", "prod"]), sizes: z.array(z.object({ n: z.number() })) }),
  output: z.object({ env: z.string() }),
});
export default service((ctx) => (
  <Workflow name="picky-one"><Task id="go" output={outputs.output}>{() => ({ env: ctx.input.env })}</Task></Workflow>
));
`;

describe("the input of a new run", () => {
  it("comes from text, a file or standard input, is changed by --set, and names the fields that are wrong", async () => {
    const workspace = new Workspace({ "picky.tsx": PICKY });
    writeFileSync(workspace.path("in.json"), '{"env":"test","sizes":[]}');
    const dry = (args: string[], input?: string) =>
      workspace.json(["up", "picky", "--dry-run", ...args], input === undefined ? {} : { input });
    const typed = await dry(["--input", '{"env":"test","sizes":[]}', "--set", "env=prod"]);
    expect(typed).toMatchObject({
      code: 0,
      document: {
        dryRun: true,
        workflowName: "picky-one",
        input: { env: "prod", sizes: [] },
        tasks: ["go::0"],
      },
    });
    expect((await dry(["--input", "@in.json"])).document).toMatchObject({ input: { env: "test" } });
    const piped = await dry(["--input", "-"], '{"env":"dev","sizes":[{"n":1},{"n":"2"}]}');
    expect(piped).toMatchObject({ code: 4, document: { error: { code: "INVALID_INPUT" } } });
    const { summary } = (piped.document as { error: { summary: string } }).error;
    for (const path of ["env", "sizes[1].n"]) expect(summary.replaceAll(/\.(\d+)/g, "[$1]")).toContain(path);
    expect(existsSync(workspace.path("service.db"))).toBe(false);
  });
});

describe("--workflow", () => {
  it("is the name on <Workflow>, a file, or the name of one; a dry resume says what would continue", async () => {
    const workspace = new Workspace({ ".service/workflows/greeting.tsx": HELLO });
    await workspace.treadle(["up", "greeting", "--run-id", "h1"]);
    for (const reference of ["hello", "greeting", ".service/workflows/greeting.tsx"]) {
      const { document } = await workspace.json(["ps", "--workflow", reference]);
      expect({ reference, document }).toMatchObject({ reference, document: { runs: [{ runId: "h1" }] } });
    }
    expect((await workspace.json(["up", "--resume", "h1", "--dry-run"])).document).toEqual({
      dryRun: true,
      runId: "h1",
      resume: true,
    });
  });
});

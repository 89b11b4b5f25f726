import { describe, expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";

const FLOW = `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({
  input: z.object({ name: z.string().default("you"), times: z.coerce.number().optional() }),
  output: z.object({ text: z.string() }),
});
export default service((ctx) => (
  <Workflow name="w"><Task id="a" output={outputs.output}>{{ text: ctx.input.name ?? "nobody" }}</Task></Workflow>
));
`;

describe("an input schema with rules that do not act", () => {
  it("is named in one line by up, and the input stays as given", async () => {
    const workspace = new Workspace({ "flow.tsx": FLOW });
    const { stderr, document } = await workspace.json<{ output: object }>(["up", "flow.tsx"]);
    expect(document.output).toEqual({ text: "nobody" });
    expect(
      stderr.split("\n").filter((line) => line.includes("name (default), times (coercion)")),
    ).toHaveLength(1);
  });

  it("is a warning of doctor, when it is given the file", async () => {
    const workspace = new Workspace({ "flow.tsx": FLOW });
    const { document } = await workspace.json<{ checks: object[] }>(["doctor", "flow.tsx"]);
    expect(document.checks).toContainEqual({
      name: "workflow",
      status: "warning",
      message: expect.stringContaining("name (default), times (coercion)"),
    });
  });
});

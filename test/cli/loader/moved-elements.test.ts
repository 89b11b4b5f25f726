import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";

/** A workflow with elements inside a task's function, behind whatever stands at the top. */
const flow = (top: string) => `import { createService } from "treadle";
import { z } from "zod";
${top}
const { Workflow, Signal, Task, service, outputs } = createService({
  go: z.object({ n: z.number() }),
  output: z.object({ tag: z.string() }),
});
export default service(() => (
  <Workflow name="flow">
    <Signal id="go" schema={outputs.go} />
    <Task id="tell" output={outputs.output}>
      {() => ({ tag: (<section><p>{1}</p></section>).type })}
    </Task>
  </Workflow>
));
`;

it("a run continues with a file to which elements were added further up", async () => {
  const workspace = new Workspace({ "flow.tsx": flow("") });
  expect((await workspace.treadle(["up", "flow.tsx", "--run-id", "r"])).code).toBe(3);
  workspace.write("flow.tsx", flow("export const banner = () => <h1>{() => <b>new</b>}</h1>;\n\n"));
  await workspace.treadle(["signal", "r", "go", "--data", '{"n":1}']);
  const { code, document, stderr } = await workspace.json(["up", "--resume", "r"]);
  expect(code, stderr).toBe(0);
  expect(document).toMatchObject({ status: "finished", output: { tag: "section" } });
});

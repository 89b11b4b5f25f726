import { expect, it } from "vitest";
import { ProcessWorkspace } from "./support/treadle.js";
import { HEAD } from "./support/workflows.js";

const TALKING = `${HEAD}
const { Workflow, Task, service, outputs } = createService({ output: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="talking">
    <Task id="talk" output={outputs.output}>
      {async () => {
        console.log("one %s", "two");
        console.error("three");
        return { n: 1 };
      }}
    </Task>
  </Workflow>
));
`;

const count = (text: string, part: string) => text.split(part).length - 1;

it("what a task says on the console is printed once and found in logs and events", async () => {
  const workspace = new ProcessWorkspace({ "w.tsx": TALKING });
  for (const flags of [[], ["--verbose"]]) {
    const { stdout, stderr } = await workspace.treadle(["up", "w.tsx", ...flags]);
    expect(JSON.parse(stdout)).toEqual({ n: 1 });
    expect([count(stderr, "one two"), count(stderr, "three")]).toEqual([1, 1]);
  }
  const logs = await workspace.treadle(["logs", "latest"]);
  expect(logs.stdout).toMatch(/^\[\S+\] talk \| one two\n\[\S+\] talk \| three\n$/);
  const events = await workspace.treadle(["events", "latest", "--type", "NodeOutput", "--json"]);
  expect(events.stdout).toContain('"text":"one two\\n","stream":"stdout","source":"console"');
});

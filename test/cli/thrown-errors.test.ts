import { describe, expect, it } from "vitest";
import { callIn } from "./support/in-process.js";
import { ProcessWorkspace } from "./support/treadle.js";
import { HEAD } from "./support/workflows.js";

const THROWING = `${HEAD}
class DiskError extends Error { override name = "DiskError"; }
function save(): never { throw new DiskError("the disk is on fire"); }
const { Workflow, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="throwing">
    <Task id="broken" retries={0} output={outputs.row}>{() => { console.log("about to save"); return save(); }}</Task>
  </Workflow>
));
`;

const LATE = `${HEAD}
const { Workflow, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service((ctx) => {
  if (ctx.outputs.row.length === 1) throw new TypeError("not like this");
  return <Workflow name="late"><Task id="fine" output={outputs.row}>{{ n: 1 }}</Task></Workflow>;
});
`;

/** The line of the source that holds a text, as places name it. */
const lineOf = (source: string, text: string) => source.slice(0, source.indexOf(text)).split("\n").length;

describe("an error thrown by a task", () => {
  it("shows its class, its stack and the place in the source, wherever it is shown", async () => {
    const workspace = new ProcessWorkspace({ "w.tsx": THROWING });
    const { stderr, code } = await workspace.treadle(["up", "w.tsx", "--run-id", "t"]);
    expect(code).toBe(1);
    const line = lineOf(THROWING, "throw new DiskError");
    const head = new RegExp(`TASK_FAILED DiskError: the disk is on fire \\(w\\.tsx:${line}:\\d+\\)`);
    const frames = new RegExp(`at save \\(w\\.tsx:${line}:\\d+\\)`);
    const shown: Record<string, string> = { up: stderr };
    for (const argv of [
      ["node", "t", "broken"],
      ["logs", "t"],
      ["events", "t"],
    ]) {
      shown[argv.join(" ")] = (await callIn(workspace.folder, argv)).stdout;
    }
    for (const [command, text] of Object.entries(shown)) {
      expect(text, command).toMatch(head);
      expect(text, command).toMatch(frames);
    }
    expect(stderr).toContain("treadle help errors TASK_FAILED");
    for (const command of ["why", "inspect"]) {
      const { stdout } = await callIn(workspace.folder, [command, "t"]);
      expect(stdout, command).toMatch(new RegExp(`1\\. broken failed: ${head.source}`));
    }
    const { stdout } = await callIn(workspace.folder, ["node", "t", "broken", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      attempts: [
        {
          error: {
            name: "DiskError",
            frame: { file: "w.tsx", line, function: "save" },
            stack: expect.stringMatching(frames),
          },
        },
      ],
    });
  });

  it("stands in the log below what the task said on the console", async () => {
    const workspace = new ProcessWorkspace({ "w.tsx": THROWING });
    await workspace.treadle(["up", "w.tsx", "--run-id", "t"]);
    const { stdout } = await callIn(workspace.folder, ["logs", "t"]);
    expect(stdout).toMatch(
      /broken \| about to save\n[^]*broken \| attempt 1 failed[^\n]*\nbroken \| {3}at save/,
    );
  });
});

it("an error of a later frame shows its class, its stack and its place", async () => {
  const workspace = new ProcessWorkspace({ "w.tsx": LATE });
  const { stderr, code } = await workspace.treadle(["up", "w.tsx", "--run-id", "l"]);
  expect(code).toBe(1);
  const line = lineOf(LATE, "throw new TypeError");
  expect(stderr).toMatch(
    new RegExp(`WORKFLOW_RENDER_FAILED TypeError: .*not like this\\. \\(w\\.tsx:${line}:\\d+\\)`),
  );
  expect(stderr).toMatch(new RegExp(`stack at w\\.tsx:${line}:\\d+`));
  const { stdout } = await callIn(workspace.folder, ["events", "l", "--type", "RunFailed"]);
  expect(stdout).toMatch(new RegExp(`\\(w\\.tsx:${line}:\\d+\\)\\s+at w\\.tsx:${line}:`));
  const why = await callIn(workspace.folder, ["why", "l"]);
  expect(why.stdout).toMatch(new RegExp(`TypeError: .*not like this\\. \\(w\\.tsx:${line}:`));
});

import { renameSync, unlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { type RunningCommand, Workspace } from "../support/treadle.js";

const TASK = (id: string, text: string) =>
  `<Task id="${id}" output={outputs.out}>{() => ({ text: ${text} })}</Task>`;

/** `hold` runs until the file `go` is there; `watch` until `on` is. */
function flow({
  top = "",
  min = 1,
  build = "",
  tasks = "",
}: {
  top?: string;
  min?: number;
  build?: string;
  tasks?: string;
} = {}): string {
  return `import { existsSync } from "node:fs";
import { createService } from "treadle";
import { z } from "zod";
import { Last } from "./parts/last.tsx";
${top}
const { Workflow, Task, Sequence, Approval, service, outputs } = createService({
  out: z.object({ text: z.string().min(${min}) }),
  decision: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
  output: z.object({ text: z.string() }),
});
const until = async (file: string, signal: AbortSignal) => {
  while (!existsSync(file) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
  return { text: file };
};
export default service(() => {
  ${build}
  return (
    <Workflow name="hot">
      <Sequence>
        <Task id="hold" output={outputs.out}>{(_, { signal }) => until("go", signal)}</Task>
        ${tasks}
        <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
        <Last Task={Task} output={outputs.output} />
      </Sequence>
    </Workflow>
  );
});
`;
}

const last = (text: string) => `import { words } from "../../shared/words.ts";
export const Last = ({ Task, output }) => <Task id="last" output={output}>{() => ({ text: "${text} " + words })}</Task>;
`;

/** What stderr says of each save, from where it was last asked. */
class Saves {
  readonly #run: RunningCommand;
  #said = "";
  #at = 0;

  constructor(run: RunningCommand) {
    this.#run = run;
    run.process.stderr?.on("data", (text: string) => {
      this.#said += text;
    });
  }

  /** Waits for a text after those that were waited for before. */
  async until(text: string): Promise<void> {
    for (;;) {
      const at = this.#said.indexOf(text, this.#at);
      if (at >= 0) {
        this.#at = at + text.length;
        return;
      }
      const news = new Promise((resolve) => this.#run.process.stderr?.once("data", resolve));
      const end = this.#run.done.then(() => "end");
      if ((await Promise.race([news, end])) === "end") throw new Error(`The process ended:\n${this.#said}`);
    }
  }
}

it("a run under up --hot goes through a day of saves", async () => {
  const workspace = new Workspace({
    "app/flow.tsx": flow(),
    "app/parts/last.tsx": last("old"),
    "shared/words.ts": 'export const words = "words";',
  });
  const run = workspace.start(["up", "flow.tsx", "--hot"], { cwd: "app" });
  const saves = new Saves(run);
  const save = (path: string, text: string) => workspace.write(path, text);
  await saves.until("→ hold");

  // A component in another file, and a file outside of the folder.
  save("app/parts/last.tsx", last("new"));
  await saves.until("reloaded parts/last.tsx (1 changed");
  save("shared/words.ts", 'export const words = "words!";');
  await saves.until("shared/words.ts");

  // A task that is added, and taken away again while another runs.
  save("app/flow.tsx", flow({ tasks: TASK("more", '"x"') }));
  await saves.until("reloaded flow.tsx (1 added");
  save("app/flow.tsx", flow());
  await saves.until("reloaded flow.tsx (1 removed");

  // Mistakes, each with its place and lines, and the way back.
  save("app/flow.tsx", flow({ tasks: "<Task>" }));
  await saves.until(
    "not reloaded, the run continues as before: WORKFLOW_LOAD_FAILED flow.tsx cannot be compiled",
  );
  await saves.until("> 24 |");
  save("app/flow.tsx", flow({ top: 'throw new TypeError("no such thing");' }));
  await saves.until("TypeError: no such thing (flow.tsx:5:7)");
  await saves.until("> 5 | throw new TypeError");
  save("app/flow.tsx", flow({ build: 'throw new Error("cannot draw");' }));
  await saves.until("cannot draw");
  await saves.until("> 16 |   throw new Error");
  save("app/flow.tsx", flow({ min: 5 }));
  await saves.until("SCHEMA_CHANGE_HOT");
  await saves.until("out.text was string (minLength 1) and is string (minLength 5) now");
  unlinkSync(workspace.path("app/flow.tsx"));
  await saves.until("WORKFLOW_NOT_FOUND There is no file flow.tsx");
  save("app/flow.tsx", flow({ tasks: TASK("more", '"1"') }));
  await saves.until("reloaded flow.tsx (1 added");

  // Ten saves in a burst, and an editor that saves by renaming.
  for (let n = 1; n <= 10; n += 1) save("app/flow.tsx", flow({ tasks: TASK("more", `"burst ${n}"`) }));
  await saves.until("reloaded flow.tsx (1 changed");
  save("app/flow.tsx.tmp", flow({ tasks: TASK("more", '"renamed"') }));
  renameSync(workspace.path("app/flow.tsx.tmp"), workspace.path("app/flow.tsx"));
  await saves.until("reloaded flow.tsx (1 changed");

  // A run that only waits takes a save up as well.
  workspace.write("app/go", "");
  await saves.until("waiting for approval");
  save("app/parts/last.tsx", last("newest"));
  await saves.until("reloaded parts/last.tsx (1 changed");
  await workspace.treadle(["approve", "latest", "ok", "--yes"], { cwd: "app" });
  const { code, stdout } = await run.done;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ text: "newest words!" });
  const { document } = await workspace.json<{ output: unknown }>(["node", "latest", "more"], { cwd: "app" });
  expect(document).toMatchObject({ output: { text: "renamed" } });
});

it("a run that was stopped continues with the code it was given, without being asked to accept it", async () => {
  const workspace = new Workspace({
    "flow.tsx": flow().replaceAll("./parts/", "./"),
    "last.tsx": last("old").replace("../../shared/", "./"),
    "words.ts": 'export const words = "words";',
  });
  const run = workspace.start(["up", "flow.tsx", "--hot"]);
  await run.seen("→ hold");
  workspace.write("last.tsx", last("new").replace("../../shared/", "./"));
  await run.seen("reloaded last.tsx");
  run.process.kill("SIGINT");
  expect((await run.done).code).toBe(130);
  workspace.write("go", "");
  const resumed = await workspace.treadle(["up", "--resume", "--no-wait"]);
  expect(resumed.stderr).not.toContain("RESUME_METADATA_MISMATCH");
  expect(resumed.code).toBe(3);
});

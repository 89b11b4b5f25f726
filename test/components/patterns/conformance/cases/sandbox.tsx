import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { createService } from "treadle";
import { z } from "zod";
import { folderWith } from "../../../../examples/support/folder.js";
import type { SandboxProvider } from "../../../../../src/model/sandbox-provider.js";
import type { CompositeCase } from "../composite-case.js";

const module = createService({ result: z.object({ done: z.string() }) }, { dbPath: ":memory:" });
const { Sandbox, Workflow, outputs, service } = module;

/** Runs no workflow: writes one line into each of `size` files of its copy. */
const writing = (id: string, size: number, isFailing: boolean): SandboxProvider => ({
  id: `writing-${id}`,
  async run({ workspacePath }) {
    for (let n = 0; n < size; n += 1) await appendFile(join(workspacePath, `${id}-${n}.txt`), "line\n");
    return isFailing
      ? { status: "failed", error: "as scripted" }
      : { status: "finished", output: { done: id } };
  },
});

const child = service(() => <Workflow name="child" />);

const written = (id: string, count: number) => ({
  [`${id}-run`]: { output: { done: id }, patchCount: count, addedLines: count, removedLines: 0 },
  [id]: { done: id },
});
const reviewed = (id: string, count: number) => ({
  ...written(id, count),
  [`${id}-review`]: { approved: true, decidedBy: "operator" },
});

/** Members are the files that it changes. */
export const sandbox: CompositeCase = {
  module,
  rootDir: () => folderWith({ "other.txt": "stays as it is\n" }),
  mount: ({ id = "sandbox", size, isFailing, skipIf }) => (
    <Sandbox
      id={id}
      workflow={child}
      provider={writing(id, size, isFailing)}
      output={outputs.result}
      retries={0}
      skipIf={skipIf}
    />
  ),
  none: (id) => ({ nodes: written(id, 0) }),
  one: (id) => ({ nodes: reviewed(id, 1) }),
  many: (id) => ({ nodes: reviewed(id, 3) }),
  failing: (id) => ({ failed: "SANDBOX_EXECUTION_FAILED", nodes: { [`${id}-run`]: "failed" } }),
  except: { defaultId: "the case always gives one, for the names of its files" },
};

/**
 * 17. Work in isolation.
 *
 *     npx treadle up examples/17-sandbox.tsx --run-id boxed
 *     npx treadle approve boxed greet-review --dry-run    # shows the patch
 *     npx treadle approve boxed greet-review --by ada --yes
 *     npx treadle up --resume boxed
 *
 * The workflow inside runs in a process of its own with bubblewrap (Linux): on a copy of the folder, without a network, with
 * nothing of your home. What it has changed comes back as a patch, which `approve` shows; nothing changes before you approve.
 */
import { readdir, writeFile } from "node:fs/promises";
import { createService } from "treadle";
import { z } from "zod";

const inside = createService({
  input: z.object({ name: z.string() }),
  output: z.object({ file: z.string(), homes: z.string(), network: z.string() }),
});

/** What an attempt comes to: "possible", or the code of its error. */
const tried = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "possible",
    (error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code ?? "refused",
  );

const greet = inside.service((ctx) => (
  <inside.Workflow name="greet">
    <inside.Task id="write" output={inside.outputs.output}>
      {async () => {
        await writeFile("GREETING.md", `Hello, ${ctx.input.name}.\n`);
        return {
          file: "GREETING.md",
          homes: await tried(readdir("/home")),
          network: await tried(fetch("http://1.1.1.1")),
        };
      }}
    </inside.Task>
  </inside.Workflow>
));

const { Workflow, Sandbox, service, outputs } = createService({
  input: z.object({ name: z.string().optional() }),
  output: z.object({ file: z.string(), homes: z.string(), network: z.string() }),
});

export default service((ctx) => (
  <Workflow name="sandbox">
    <Sandbox
      id="greet"
      workflow={greet}
      input={{ name: ctx.input.name ?? "world" }}
      output={outputs.output}
    />
  </Workflow>
));

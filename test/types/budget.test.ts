import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { consumerFolder, ROOT } from "./support/built-types.js";

const SCHEMAS = Array.from({ length: 40 }, (_, index) => index);

/** A chain of forty tasks, each with a schema of its own and the row of the one before. */
const WIDE = `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ name: z.string() }),
${SCHEMAS.map(
  (index) => `  s${index}: z.object({
    id: z.string(), n: z.number().int(), tags: z.array(z.string()), at: z.iso.datetime().nullable(),
    kind: z.enum(["a", "b", "c"]), nested: z.object({ x: z.number(), y: z.string().optional() }),
  }),`,
).join("\n")}
});
export default service((ctx) => (
  <Workflow name="wide">
    <Sequence>
      <Task id="t0" output={outputs.s0}>
        {() => ({ id: ctx.input.name, n: 1, tags: [], at: null, kind: "a" as const, nested: { x: 1 } })}
      </Task>
${SCHEMAS.slice(1)
  .map(
    (
      index,
    ) => `      <Task id="t${index}" output={outputs.s${index}} deps={{ before: outputs.s${index - 1} }}>
        {({ before }) => ({ ...before, n: before.n + (ctx.outputMaybe(outputs.s0, { nodeId: "t0" })?.n ?? 0) })}
      </Task>`,
  )
  .join("\n")}
    </Sequence>
  </Workflow>
));
`;

/** Counts, not times: a slow machine does not fail it. Above what there is by about a half. */
const BUDGET = { Types: 15_000, Instantiations: 400_000 };

it("a workflow of forty schemas costs the compiler no more than its budget of types", () => {
  const { folder, remove } = consumerFolder("wide.tsx", WIDE);
  onTestFinished(remove);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, "--extendedDiagnostics", "--pretty", "false"],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
  expect(status, stdout).toBe(0);
  for (const [name, most] of Object.entries(BUDGET)) {
    const count = Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(stdout)?.[1]);
    expect(count, name).toBeGreaterThan(0);
    expect(count, name).toBeLessThan(most);
  }
});

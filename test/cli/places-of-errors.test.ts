import { expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";

const FLOW = `import { createService } from "treadle";
import { z } from "zod";
import { charge } from "../lib/charge";

const { Workflow, Task, Sequence, service, outputs, useCtx } = createService({ row: z.object({ n: z.number() }) });

function Late() {
  if (useCtx().outputs.row.length > 0) throw new RangeError("late");
  return null;
}

export default service((ctx) => (
  <Workflow name="failing">
    <Sequence>
      <Task id="pay" noRetry output={outputs.row}>
        {async () => {
          await Promise.resolve();
          return process.env["LATE"] ? { n: 1 } : charge();
        }}
      </Task>
      <Late />
    </Sequence>
  </Workflow>
));
`;

const CHARGE = `interface Amount {
  cents: { value: number };
}

export function charge(): { n: number } {
  const amount = {} as Amount;
  return { n: amount.cents.value };
}
`;

const files = { "flows/flow.tsx": FLOW, "lib/charge.ts": CHARGE };

interface Failed {
  error: { name: string; frame: unknown; stack: string; cause?: Failed["error"] };
}

it("up tells class and place of a task's error in the author's own lines, relative to the folder", async () => {
  const workspace = new Workspace(files);
  const { document } = await workspace.json<Failed>(["up", "flows/flow.tsx"]);
  expect(document.error).toMatchObject({
    name: "TypeError",
    frame: { file: "lib/charge.ts", line: 7, column: 28, function: "charge" },
    stack: "at charge (lib/charge.ts:7:28)\nat flows/flow.tsx:18:51",
  });
});

it("up tells those of a component that throws in a later frame", async () => {
  const workspace = new Workspace(files);
  const { document } = await workspace.json<Failed>(["up", "flows/flow.tsx"], { env: { LATE: "1" } });
  const frame = { file: "flows/flow.tsx", line: 8, column: 46, function: "Late" };
  expect(document.error).toMatchObject({ frame, cause: { name: "RangeError", frame } });
});

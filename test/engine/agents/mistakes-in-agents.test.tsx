import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

it("an agent with a mistake in its code ends its task at once, as a function does", async () => {
  const { api, run } = openScene({ row: z.object({ n: z.int() }) });
  const { Workflow, Task, outputs, service } = api;
  let calls = 0;
  const agent = {
    async generate(): Promise<{ text: string }> {
      calls += 1;
      const settings = undefined as unknown as { model: string };
      return { text: settings.model };
    },
  };
  const { status, error } = await run(
    service(() => (
      <Workflow name="mistaken-agent">
        <Task id="work" output={outputs.row} agent={agent}>
          Count the words.
        </Task>
      </Workflow>
    )),
  );
  expect({ status, calls }).toEqual({ status: "failed", calls: 1 });
  expect(error?.message).toContain("reading 'model'");
});

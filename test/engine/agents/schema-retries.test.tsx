import { expect, it } from "vitest";
import { z } from "zod";
import type { AgentLike } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = { answer: z.object({ n: z.number() }) };

/** How often an agent is asked that never gives the row. */
async function answersOf(maxSchemaRetries: number | undefined): Promise<number> {
  const { api, run } = openScene(schemas);
  const { Workflow, Task, outputs, service } = api;
  let times = 0;
  const agent: AgentLike = {
    async generate() {
      times += 1;
      return "no row";
    },
  };
  const result = await run(
    service(() => (
      <Workflow name="stubborn">
        <Task
          id="ask"
          output={outputs.answer}
          agent={agent}
          noRetry
          {...(maxSchemaRetries !== undefined && { maxSchemaRetries })}
        >
          How many?
        </Task>
      </Workflow>
    )),
  );
  expect(result.error?.code).toBe("INVALID_OUTPUT");
  return times;
}

it.each([
  [undefined, 4],
  [0, 1],
  [1, 2],
])("with maxSchemaRetries %s an agent whose answers never fit is asked %i times", async (given, times) => {
  expect(await answersOf(given)).toBe(times);
});

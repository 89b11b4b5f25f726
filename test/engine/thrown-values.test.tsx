import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

/** A run of one task that throws `thrown`, whatever that is. */
async function throwing(thrown: unknown) {
  const { api, run } = openScene({ row: z.object({ n: z.int() }) });
  const { Workflow, Task, outputs, service } = api;
  return run(
    service(() => (
      <Workflow name="throwing">
        <Task id="work" output={outputs.row} noRetry>
          {() => {
            throw thrown;
          }}
        </Task>
      </Workflow>
    )),
  );
}

describe("a task that throws something that is not an Error", () => {
  it.each<[unknown, string]>([
    ["oops", '"oops"'],
    [{ status: 502 }, '{"status":502}'],
    [null, "null"],
    [undefined, "undefined"],
  ])(
    "has failed with the value in the message, and nobody is asked to report it: %j",
    async (thrown, shown) => {
      const { status, error } = await throwing(thrown);
      expect(status).toBe("failed");
      expect(error).toMatchObject({ code: "TASK_FAILED", details: { nodeId: "work" } });
      expect(error?.message).toContain(`not an Error was thrown: ${shown}`);
      expect(error?.message).not.toContain("report");
    },
  );
});

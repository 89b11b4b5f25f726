import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createService, type NamedLimits, renderFrame } from "../../../src/index.js";
import { deferred } from "../../../src/util/deferred.js";
import { openScene } from "../../support/engine/scene.js";
import { settle } from "../../support/engine/virtual-time.js";

const schemas = { row: z.object({ n: z.number() }) };

function flow(limits: NamedLimits, about: { limit?: string; dbPath?: string; work?: () => Promise<void> }) {
  const scene = openScene(schemas, { limits, ...(about.dbPath !== undefined && { dbPath: about.dbPath }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="declaring">
      <Task id="a" output={outputs.row} {...(about.limit !== undefined && { limit: about.limit })}>
        {async () => {
          await about.work?.();
          return { n: 1 };
        }}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("a limit", () => {
  it.each([
    [{ a: { concurrency: 0 } }, "limits.a.concurrency", "a positive integer"],
    [{ a: { perMinute: -1 } }, "limits.a.perMinute", "a positive integer"],
    [{ a: { concurrency: 1.5 } }, "limits.a.concurrency", "a positive integer"],
    [{ a: 5 }, "limits.a", 'the options of the limit "a" as one object'],
    [{ a: {} }, "limits.a", "`concurrency`, `perMinute` or both"],
    [{ a: { perHour: 3 } }, "limits.a.perHour", 'an option of the limit "a" (concurrency, perMinute)'],
    [{ "": { concurrency: 1 } }, "limits", "limits with names that are not empty"],
  ])("that is declared as %j is refused", (limits, option, expected) => {
    expect(() => createService(schemas, { dbPath: ":memory:", limits: limits as never })).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        details: expect.objectContaining({ option, expected }),
      }),
    );
  });

  it("that is not declared is refused with the first frame, which names those that there are", async () => {
    const { workflow, run, rowCount } = flow({ "model-x": { concurrency: 1 } }, { limit: "model-y" });
    await expect(run(workflow)).rejects.toMatchObject({
      code: "LIMIT_UNKNOWN",
      summary: expect.stringMatching(
        /<Task id="a">.*"model-y".*its limits: "model-x"\. Did you mean "model-x"\?/,
      ),
    });
    expect(rowCount()).toBe(0);
    await expect(renderFrame(workflow, {})).rejects.toMatchObject({ code: "LIMIT_UNKNOWN" });
  });
});

describe("two declarations of one name", () => {
  it("contradict each other while a run of one of them is driven, and not afterwards", async () => {
    const held = deferred<void>();
    const one = flow({ "model-x": { concurrency: 1 } }, { limit: "model-x", work: () => held.promise });
    const other = flow(
      { "model-x": { concurrency: 2, perMinute: 5 } },
      { limit: "model-x", dbPath: one.path },
    );
    const driving = one.drive(one.workflow, { runId: "first" });
    await settle();
    await expect(other.run(other.workflow, { runId: "second" })).rejects.toMatchObject({
      code: "LIMIT_CONFLICT",
      message: expect.stringContaining(
        'The limit "model-x" is declared as 2 at once and 5 a minute here, and as 1 at once by run first',
      ),
      details: {
        limit: "model-x",
        declared: { concurrency: 2, perMinute: 5 },
        other: { concurrency: 1 },
        runId: "first",
      },
    });
    expect(await other.store.getRun("second")).toBeUndefined();
    held.resolve();
    expect(await one.time.until(driving)).toMatchObject({ status: "finished" });
    expect(await other.run(other.workflow, { runId: "second" })).toMatchObject({ status: "finished" });
  });
});

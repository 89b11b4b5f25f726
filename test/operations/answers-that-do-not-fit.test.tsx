import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const { Workflow, HumanTask, Task, Subflow, service, outputs } = createService({
  room: z.object({ room: z.string() }),
  output: z.object({ n: z.number() }),
});

const attic = z.object({ room: z.string().startsWith("A") });

test("an answer that only `outputSchema` refuses is asked for again, and may be given in the same instant", async () => {
  const workflow = service(() => (
    <Workflow name="asking">
      <HumanTask id="room" output={outputs.room} outputSchema={attic} prompt="Which?" maxAttempts={3} />
    </Workflow>
  ));
  const run = testWorkflow(workflow);
  await run.run();
  expect((await run.approve("room", { data: { room: "Cellar" } })).status).toBe("waiting-approval");
  expect((await run.approve("room", { data: { room: "Attic" } })).status).toBe("finished");
  expect((await run.tasks())[0]).toMatchObject({ output: { room: "Attic" } });
});

test("after `maxAttempts` answers that do not fit the node has failed", async () => {
  const workflow = service(() => (
    <Workflow name="asking">
      <HumanTask id="room" output={outputs.room} outputSchema={attic} prompt="Which?" maxAttempts={2} />
    </Workflow>
  ));
  const run = testWorkflow(workflow);
  await run.run();
  await run.approve("room", { data: { room: "Cellar" } });
  const { status, error } = await run.approve("room", { data: { room: "Cellar" } });
  expect(status).toBe("failed");
  expect(error?.code).toBe("INVALID_OUTPUT");
});

test("the row of a child run that has finished is not asked for again when it does not fit", async () => {
  const child = service(() => (
    <Workflow name="child">
      <Task id="elsewhere" output={outputs.room}>
        {{ room: "Attic" }}
      </Task>
    </Workflow>
  ));
  const workflow = service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} retries={5} />
    </Workflow>
  ));
  const run = testWorkflow(workflow);
  const { status, error } = await run.run();
  expect(status).toBe("failed");
  expect(error).toMatchObject({ code: "INVALID_OUTPUT", retryable: false });
  expect((await run.tasks())[0]?.attempts).toBe(1);
});

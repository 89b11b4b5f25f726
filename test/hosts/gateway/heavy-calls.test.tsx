import { expect, it } from "vitest";
import { openGateway } from "./support/gateway.js";
import { asking, doubling } from "./support/workflows.js";
import { createService, Task, Workflow } from "../../../src/index.js";
import { z } from "zod";
import { join } from "node:path";

it("a frame that is larger than a host sends is refused before it is parsed, with its size", async () => {
  const { call, rpc, until } = await openGateway((gateway, folder) => {
    const { service, outputs } = createService(
      { done: z.object({ ok: z.boolean() }) },
      { dbPath: join(folder, "service.db") },
    );
    const notes = "x".repeat(9 * 1024 * 1024);
    gateway.register(
      "large",
      service(() => (
        <Workflow name="large">
          <Task id="one" output={outputs.done} meta={{ notes }}>
            {() => ({ ok: true })}
          </Task>
        </Workflow>
      )),
    );
  });
  const { runId } = await call<{ runId: string }>("launchRun", { workflow: "large" });
  await until(runId, "finished");
  for (const method of ["getGraph", "getFrame"]) {
    const { status, body } = await rpc(method, { runId });
    expect({ method, status, body }).toMatchObject({
      status: 413,
      body: { error: { code: "PAYLOAD_TOO_LARGE" } },
    });
  }
  const ends = { fromFrameNo: 1, toFrameNo: 1 };
  expect(await rpc("diffFrames", { runId, ...ends })).toMatchObject({ status: 413 });
});

it("a body of too many members is refused before it is parsed", async () => {
  const { rpc } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
  const input = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
  expect(await rpc("launchRun", { workflow: "twice", input })).toMatchObject({
    status: 413,
    body: { error: { code: "PAYLOAD_TOO_LARGE", message: expect.stringMatching(/50000 names/) } },
  });
});

it("calls for whole frames come one after the other, and are refused when too many wait", async () => {
  const { call, rpc, until } = await openGateway((gateway, folder) =>
    gateway.register("ask", asking(folder)),
  );
  const { runId } = await call<{ runId: string }>("launchRun", { workflow: "ask" });
  await until(runId, "waiting-approval");
  const answers = await Promise.all(Array.from({ length: 40 }, () => rpc("getGraph", { runId })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

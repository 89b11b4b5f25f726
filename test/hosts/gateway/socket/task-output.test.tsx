import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, createService } from "../../../../src/index.js";
import { deferred } from "../../../../src/util/deferred.js";
import { openGateway } from "../support/gateway.js";
import { SocketClient } from "../support/socket-client.js";

it("Output of tasks is streamed by run and node, what agents are writing included, and without secrets", async () => {
  process.env["TEST_SECRET_TOKEN"] = "s3cret-of-the-environment";
  const isAsked = deferred<void>();
  const goOn = deferred<void>();
  const agent: AgentLike = {
    id: "writer",
    async generate(args) {
      isAsked.resolve();
      await goOn.promise;
      args?.onText?.("wor");
      args?.onText?.("king");
      args?.onStdout?.("working\n");
      return { text: '{"ok":true}' };
    },
  };
  const { url, call } = await openGateway((gateway, folder) => {
    const { Workflow, Sequence, Task, service, outputs } = createService(
      { printed: z.object({ ok: z.boolean() }), output: z.object({ ok: z.boolean() }) },
      { dbPath: join(folder, "service.db") },
    );
    const workflow = service(() => (
      <Workflow name="speaks">
        <Sequence>
          <Task id="print" output={outputs.printed}>
            {() => {
              console.log(`the token is ${process.env["TEST_SECRET_TOKEN"]}`);
              return { ok: true };
            }}
          </Task>
          <Task id="write" output={outputs.output} agent={agent}>
            Write.
          </Task>
        </Sequence>
      </Workflow>
    ));
    gateway.register("speaks", workflow);
  });
  const { runId } = await call("launchRun", { workflow: "speaks" });
  await isAsked.promise;
  const client = await SocketClient.connect(url);
  const whole = await client.result("streamTaskOutput", { runId });
  const written = await client.result("streamTaskOutput", { runId, nodeId: "write" });
  await client.next(({ event, payload }) => event === "task.output" && payload["nodeId"] === "print");
  goOn.resolve();
  const frames = await client.all(whole["streamId"]);
  const kept = frames.filter(({ event }) => event === "task.output");
  expect(kept.map(({ payload }) => [payload["nodeId"], payload["text"], payload["stream"]])).toEqual([
    ["print", "the token is [redacted]\n", "stdout"],
    ["write", "working\n", "stdout"],
  ]);
  const deltas = frames.filter(({ event }) => event === "task.delta");
  expect(deltas.map(({ payload }) => payload["text"]).join("")).toBe("working");
  expect(deltas[0]?.payload).toMatchObject({ runId, nodeId: "write", iteration: 0, attempt: 1, lossy: true });
  expect(frames.at(-1)).toMatchObject({ event: "run.end", payload: { status: "finished" } });
  const ofNode = await client.all(written["streamId"]);
  expect(ofNode.every(({ event, payload }) => event === "run.end" || payload["nodeId"] === "write")).toBe(
    true,
  );
  const rest = await client.result("streamTaskOutput", { runId, afterSeq: kept[0]?.seq });
  expect((await client.all(rest["streamId"])).map(({ event, seq }) => [event, seq])).toEqual([
    ["task.output", kept[1]?.seq],
    ["run.end", kept[1]?.seq],
  ]);
  delete process.env["TEST_SECRET_TOKEN"];
});

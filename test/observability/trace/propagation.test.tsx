import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createBaseApp } from "../../../src/hosts/http/base-app.js";
import { createHttpTool, runWorkflow } from "../../../src/index.js";
import { bash } from "../../../src/tools/index.js";
import { parseTraceparent, type SpanContext } from "../../../src/tracing/span-context.js";
import { currentSpanContext, withSpanContext } from "../../../src/tracing/tracer.js";
import { startLoopback } from "../../openapi/support/loopback-server.js";
import { openScene } from "../../support/engine/scene.js";
import { exportTo } from "../support/collector.js";

afterEach(() => void vi.unstubAllEnvs());

const schemas = { row: z.object({ n: z.number() }) };
const caller = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  isSampled: true,
} satisfies SpanContext;
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** A workflow of one task, `do`, that does `work`. */
function doing(work: () => unknown, name = "doing") {
  const scene = openScene(schemas);
  const { Workflow, Task, service, outputs } = scene.api;
  const workflow = service(() => (
    <Workflow name={name}>
      <Task id="do" output={outputs.row} retries={0}>
        {async () => {
          await work();
          return { n: 1 };
        }}
      </Task>
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("a run that is started", () => {
  it("in a caller's span lies below it, also when another process resumes it", async () => {
    const { flush, span, spans } = await exportTo();
    const { api, drive, resume, time } = openScene(schemas);
    const { Workflow, Timer, service } = api;
    const workflow = service(() => (
      <Workflow name="sleeping">
        <Timer id="nap" duration="1h" />
      </Workflow>
    ));
    await withSpanContext(caller, () => drive(workflow));
    await flush();
    expect(span("drive sleeping").traceId).toBe(caller.traceId);
    await time.sleepThrough(3_600_001);
    await resume(workflow);
    await flush();
    expect(span("run sleeping")).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId });
    const drives = spans.filter(({ name }) => name === "drive sleeping");
    expect(drives.map(({ traceId }) => traceId)).toEqual([caller.traceId, caller.traceId]);
  });

  it("by a process that TRACEPARENT has a span for lies below that", async () => {
    vi.stubEnv("TRACEPARENT", TRACEPARENT);
    const { flush, span } = await exportTo();
    const { workflow, run } = doing(() => undefined);
    await run(workflow);
    await flush();
    expect(span("run doing").parentSpanId).toBe(caller.spanId);
  });

  it("in a trace that is not recorded is not recorded", async () => {
    const { flush, spans } = await exportTo();
    const { workflow, run } = doing(() => undefined);
    await withSpanContext({ ...caller, isSampled: false }, () => run(workflow));
    await flush();
    expect(spans).toEqual([]);
  });

  it("by a task lies below the task", async () => {
    const { flush, span, spans } = await exportTo();
    let task: SpanContext | undefined;
    const child = doing(() => undefined, "child").workflow;
    const { workflow, run } = doing(() => {
      task = currentSpanContext();
      return runWorkflow(child, { input: {} });
    });
    expect((await run(workflow)).status).toBe("finished");
    await flush();
    expect(span("run child")).toMatchObject({ traceId: task?.traceId, parentSpanId: task?.spanId });
    expect(spans.find(({ spanId }) => spanId === task?.spanId)?.name).toBe("task do");
  });

  it("by a request lies below the span that the request names", async () => {
    await exportTo();
    const seen: unknown[] = [];
    const app = createBaseApp();
    app.get("/seen", (c) => {
      seen.push(currentSpanContext());
      return c.text("");
    });
    vi.stubEnv("TRACEPARENT", TRACEPARENT.replace("b7", "c8"));
    await app.request("/seen", { headers: { traceparent: TRACEPARENT } });
    await app.request("/seen");
    expect(seen).toEqual([caller, undefined]);
  });
});

describe("what a task reaches", () => {
  it("gets its span: requests by a header, commands by a variable", async () => {
    const { flush, span } = await exportTo();
    let header: unknown;
    let variable = "";
    const { origin } = await startLoopback((request, response) => {
      header = request.headers.traceparent;
      response.end("{}");
    });
    const http = createHttpTool({ allowedOrigins: [origin] } as never);
    // A tool's time limit and a real command need one clock.
    const { workflow } = doing(async () => {
      await http.execute({ url: `${origin}/`, method: "GET" });
      variable = String(await bash.execute({ cmd: "echo $TRACEPARENT" }));
    });
    const { status, error } = await runWorkflow(workflow, { input: {} });
    expect(error).toBeUndefined();
    expect(status).toBe("finished");
    await flush();
    expect(parseTraceparent(String(header))?.spanId).toBe(span("execute_tool http").spanId);
    expect(variable).toContain(span("execute_tool bash").spanId);
  });
});

import { Cause, Effect, Exit } from "effect";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { runWorkflow } from "../../../src/index.js";
import {
  createServiceObservabilityLayer,
  createServiceOtelLayer,
  createServiceRuntimeLayer,
  ServiceObservability,
  trackServiceEvent,
} from "../../../src/observability/index.js";
import { openScene } from "../../support/engine/scene.js";
import { watchMetrics } from "../support/changes.js";
import { startCollector } from "../support/collector.js";

/** What the process writes to stderr until the test is over, as records. */
function hearStderr(): Record<string, unknown>[] {
  const heard: Record<string, unknown>[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    for (const line of String(chunk).trimEnd().split("\n"))
      heard.push(JSON.parse(line) as Record<string, unknown>);
    return true;
  });
  onTestFinished(() => write.mockRestore());
  return heard;
}

function trivialWorkflow() {
  const { api } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, service, outputs } = api;
  return service(() => (
    <Workflow name="trivial">
      <Task id="one" output={outputs.row}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
}

describe("the observability layer", () => {
  it("is the same under its second name", () => {
    expect(createServiceRuntimeLayer).toBe(createServiceObservabilityLayer);
  });

  it("gives the service, with every option resolved", async () => {
    const layer = createServiceObservabilityLayer({ serviceName: "zoo", logLevel: "error" });
    const { options } = await Effect.runPromise(ServiceObservability.pipe(Effect.provide(layer)));
    expect(options).toMatchObject({
      serviceName: "zoo",
      logLevel: "Error",
      enabled: false,
      installLogger: true,
    });
  });

  it("exports spans of effects with their attributes, and the runs that they start below them", async () => {
    const collector = await startCollector();
    const { endpoint, span } = collector;
    const workflow = trivialWorkflow();
    const program = Effect.gen(function* () {
      const { withSpan, annotate } = yield* ServiceObservability;
      const inner = Effect.gen(function* () {
        yield* annotate({ rows: 3, tags: { a: 1 } });
        yield* Effect.promise(() => runWorkflow(workflow, { input: {} }));
      });
      yield* withSpan("import", withSpan("load", inner), { source: "s3" });
    });
    const layer = createServiceObservabilityLayer({ enabled: true, endpoint, installLogger: false });
    await Effect.runPromise(program.pipe(Effect.provide(layer)));
    expect(span("import")).toMatchObject({
      parentSpanId: "",
      attributes: { source: "s3" },
      failure: undefined,
    });
    expect(span("load")).toMatchObject({
      traceId: span("import").traceId,
      parentSpanId: span("import").spanId,
      attributes: { rows: 3, tags: '{"a":1}' },
    });
    expect(span("run trivial").parentSpanId).toBe(span("load").spanId);
  });

  it("says of spans which effects have failed; interrupted ones have not", async () => {
    const { endpoint, span } = await startCollector();
    const program = Effect.gen(function* () {
      const { withSpan } = yield* ServiceObservability;
      yield* Effect.exit(withSpan("failing", Effect.fail(new TypeError("No."))));
      yield* Effect.exit(withSpan("interrupted", Effect.interrupt));
    });
    const layer = createServiceObservabilityLayer({ enabled: true, endpoint, installLogger: false });
    await Effect.runPromise(program.pipe(Effect.provide(layer)));
    expect(span("failing")).toMatchObject({ failure: "No.", attributes: { "error.type": "TypeError" } });
    expect(span("interrupted").failure).toBeUndefined();
  });

  it("logs what effects log as runs are logged, from its level on", async () => {
    const heard = hearStderr();
    const program = Effect.gen(function* () {
      yield* Effect.logDebug("too quiet");
      yield* Effect.logWarning("two", { parts: 2 }).pipe(Effect.annotateLogs({ order: 7 }));
      yield* Effect.logError("broken", Cause.fail(new Error("No.")));
    });
    await Effect.runPromise(
      program.pipe(Effect.provide(createServiceObservabilityLayer({ logFormat: "json", logLevel: "info" }))),
    );
    expect(heard).toHaveLength(2);
    expect(heard[0]).toMatchObject({ level: "WARN", message: 'two {"parts":2}', order: 7 });
    expect(heard[1]).toMatchObject({
      level: "ERROR",
      message: "broken",
      cause: expect.stringContaining("No."),
    });
  });

  it("says in its own format what is lost when it ends", async () => {
    const heard = hearStderr();
    const { endpoint } = await startCollector(503);
    const layer = createServiceObservabilityLayer({
      enabled: true,
      endpoint,
      logFormat: "json",
      logLevel: "info",
    });
    await Effect.runPromise(Effect.void.pipe(Effect.withSpan("work"), Effect.provide(layer)));
    expect(heard).toEqual([expect.objectContaining({ message: "spans were lost", spans: 1 })]);
  });

  it("leaves the logger alone when it is configured so", async () => {
    const heard = hearStderr();
    const logged: unknown[] = [];
    const print = vi.spyOn(console, "log").mockImplementation((...said) => void logged.push(said));
    const layer = createServiceObservabilityLayer({ installLogger: false });
    await Effect.runPromise(Effect.log("said").pipe(Effect.provide(layer)));
    print.mockRestore();
    expect(heard).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  it("refuses options before it is built", () => {
    expect(() => createServiceObservabilityLayer({ logLevel: "loud" as never })).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });
});

describe("the layer of spans alone", () => {
  it("exports when it is enabled, and is empty when it is not", async () => {
    const { endpoint, spans } = await startCollector();
    const program = Effect.void.pipe(Effect.withSpan("work"));
    await Effect.runPromise(program.pipe(Effect.provide(createServiceOtelLayer({ endpoint }))));
    expect(spans).toEqual([]);
    await Effect.runPromise(
      program.pipe(Effect.provide(createServiceOtelLayer({ endpoint, enabled: true }))),
    );
    expect(spans.map(({ name }) => name)).toEqual(["work"]);
  });

  it("sends each span once beside the other layer", async () => {
    const { endpoint, spans } = await startCollector();
    const options = { endpoint, enabled: true, installLogger: false };
    const program = Effect.void.pipe(Effect.withSpan("work"), Effect.as(1));
    const both = program.pipe(
      Effect.provide(createServiceOtelLayer(options)),
      Effect.provide(createServiceObservabilityLayer(options)),
    );
    expect(Exit.isSuccess(await Effect.runPromiseExit(both))).toBe(true);
    expect(spans.map(({ name }) => name)).toEqual(["work"]);
  });
});

describe("trackServiceEvent", () => {
  it("counts an event each time it is run, and not before", async () => {
    const changes = watchMetrics();
    const event = { type: "NodeRetrying", nodeId: "a", iteration: 0, attempt: 1, retryAtMs: 1 } as const;
    const tracking = trackServiceEvent({ ...event, runId: "elsewhere", timestampMs: 1 });
    expect(changes.of("service_events_emitted_total")).toBe(0);
    await Effect.runPromise(tracking);
    Effect.runSync(tracking);
    expect(changes.of("service_events_emitted_total")).toBe(2);
    expect(changes.of("service_node_retries_total")).toBe(2);
  });

  it("counts events of types that it does not know, too", () => {
    const changes = watchMetrics();
    Effect.runSync(trackServiceEvent({ type: "Novelty", runId: "elsewhere", timestampMs: 1 } as never));
    expect(changes.of("service_events_emitted_total")).toBe(1);
  });
});

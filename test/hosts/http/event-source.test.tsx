import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { approvalDecision, createServeApp, ServiceDb } from "../../../src/index.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import { serviceLog } from "../../../src/observability/log/service-log.js";
import { openScene } from "../../support/engine/scene.js";

/** The streams of a run that waits. */
async function waiting() {
  const scene = openScene({ gate: approvalDecision, output: z.object({ n: z.number() }) });
  const { Workflow, Approval, service, outputs } = scene.api;
  const workflow = service(() => (
    <Workflow name="waits">
      <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
    </Workflow>
  ));
  await scene.run(workflow);
  const abort = new AbortController();
  const adapter = new ServiceDb(workflow.db);
  const app = createServeApp({ workflow, adapter, runId: "run", abort });
  const end = () => abort.abort(new ServiceError("PROCESS_ABORTED", "The test ends."));
  return { app, adapter, end };
}

describe("a stream of server-sent events", () => {
  it("is not begun for a HEAD, which no client would ever end", async () => {
    const { app, end } = await waiting();
    const timers = vi.spyOn(globalThis, "setInterval");
    for (const path of ["/events", "/output"]) {
      const response = await app.request(path, { method: "HEAD" });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(response.body).toBeNull();
    }
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
    end();
  });

  it("without a reader keeps nothing alive once its host has closed", async () => {
    const { app, end } = await waiting();
    const cleared = vi.spyOn(globalThis, "clearInterval");
    const started = vi.spyOn(globalThis, "setInterval");
    await app.request("/events");
    const timers = started.mock.results.map(({ value }) => value as unknown);
    expect(timers).toHaveLength(1);
    end();
    expect(cleared.mock.calls.map(([timer]) => timer)).toEqual(timers);
    vi.restoreAllMocks();
  });

  it("is kept by nothing in between, like every other answer", async () => {
    const { app, end } = await waiting();
    const response = await app.request("/events");
    expect(response.headers.get("cache-control")).toBe("no-store");
    end();
    await response.text();
  });

  it("is refused for a parameter that is misspelt, given twice, or no plain number", async () => {
    const { app } = await waiting();
    for (const query of [
      "after=3",
      "afterSeq=1&afterSeq=2",
      "afterSeq=1e0",
      "afterSeq=%20",
      "afterSeq=0x1",
    ]) {
      for (const path of ["/events", "/output"]) {
        const response = await app.request(`${path}?${query}`);
        expect({ path, query, status: response.status }).toEqual({ path, query, status: 400 });
      }
    }
    expect((await app.request("/frames?limit=1&limit=2")).status).toBe(400);
    expect((await app.request("/output?nodeId=")).status).toBe(400);
  });

  it("that breaks off is reported in the log, once, and ends", async () => {
    const { app, adapter } = await waiting();
    const logged = vi.spyOn(serviceLog, "log").mockImplementation(() => {});
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = new ServiceError("DB_QUERY_FAILED", "The disk is gone.");
    vi.spyOn(adapter.store, "listEvents").mockRejectedValue(broken);
    const response = await app.request("/events");
    expect(await response.text()).not.toContain("event: end");
    expect(logged.mock.calls.map(([, , facts]) => facts)).toMatchObject([{ code: "DB_QUERY_FAILED" }]);
    expect(printed).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

import { describe, expect, it } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { readServerSentEvents } from "../support/server-sent-events.js";
import { ServerProcess } from "../support/server-process.js";
import { ASKS } from "../support/workflows.js";

async function waiting() {
  const workspace = new Workspace({ "asks.tsx": ASKS });
  const server = await ServerProcess.start(workspace);
  await server.call("/v1/runs", {
    body: { workflowPath: "asks.tsx", runId: "one", input: { n: 1, ask: "person" } },
  });
  const follow = (query = "", headers: Record<string, string> = {}) =>
    readServerSentEvents(`${server.url}/v1/runs/one/events${query}`, headers);
  const approve = () => server.call("/v1/runs/one/nodes/gate/approve", { body: {} });
  return { server, follow, approve };
}

describe("the event stream of a run", () => {
  it("brings every event under its number, continues while the run does, and says that it has ended", async () => {
    const { server, follow, approve } = await waiting();
    const stream = await follow();
    expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/);
    await stream.until("ApprovalRequested");
    await approve();
    const events = await stream.rest();
    const last = events.pop();
    expect(last).toMatchObject({ event: "end", data: { runId: "one", status: "finished" } });
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, index) => index));
    expect(events[0]).toMatchObject({
      event: "RunStarted",
      data: { type: "RunStarted", runId: "one", ownerId: "(hidden)" },
    });
    expect(events.at(-1)).toMatchObject({ event: "RunFinished" });
    expect((await server.call("/v1/runs/one")).body.status).toBe("finished");
  });

  it("is taken up after the last event that a client has, by header or query", async () => {
    const { server, follow, approve } = await waiting();
    const first = await follow();
    await first.until("ApprovalRequested");
    first.close();
    await approve();
    const all = await (await follow()).rest();
    const since = (from: number) => all.filter(({ id }) => id === undefined || Number(id) > from);
    expect(await (await follow("?afterSeq=2")).rest()).toEqual(since(2));
    expect(await (await follow("?afterSeq=0", { "last-event-id": "4" })).rest()).toEqual(since(4));
    // A browser that takes up a stream which has ended gets the answer not to come back.
    const last = all.filter(({ id }) => id !== undefined).at(-1)?.id ?? "";
    expect((await server.call("/v1/runs/one/events", { headers: { "last-event-id": last } })).status).toBe(
      204,
    );
  });

  it("is refused for a number that is none, or of no event that there is", async () => {
    const { server } = await waiting();
    for (const afterSeq of ["x", "-2", "1.5", "1e400", "99999"]) {
      for (const stream of ["events", "output"]) {
        expect((await server.call(`/v1/runs/one/${stream}?afterSeq=${afterSeq}`)).status).toBe(400);
        const headers = { "last-event-id": afterSeq };
        expect((await server.call(`/v1/runs/one/${stream}`, { headers })).status).toBe(400);
      }
    }
  });

  it("ends with its server, which leaves the run resumable", async () => {
    const { server, follow } = await waiting();
    const stream = await follow();
    await stream.until("ApprovalRequested");
    server.process.kill("SIGTERM");
    await stream.rest();
    await expect.poll(() => server.process.exitCode).toBe(0);
  });
});

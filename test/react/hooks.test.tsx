/** @jsxImportSource react */
import "./support/dom.js";
import { StrictMode } from "react";
import { act, cleanup, render, renderHook, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { GatewayClient } from "../../src/client/index.js";
import { createClient } from "../../src/client/node.js";
import {
  ClientProvider,
  useApprovals,
  useLaunch,
  useRun,
  useRunEvents,
  useRuns,
  useSignal,
} from "../../src/react/index.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { asking } from "../hosts/gateway/support/workflows.js";
import { freePort } from "../support/free-port.js";

afterEach(cleanup);

const PATIENT = { timeout: 100_000 };
const QUICKLY = { pollMs: 50 };

/** A gateway with a workflow that asks, and a client of it whose calls are counted. */
async function scene() {
  const port = await freePort();
  const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)), {
    listen: { port },
  });
  const calls: string[] = [];
  const counted: typeof fetch = (address, init) => {
    calls.push(String(address).split("/").at(-1) ?? "");
    return fetch(address, init);
  };
  const reconnect = { minDelayMs: 10, maxDelayMs: 50 };
  const client = createClient({ url: gateway.url, fetch: counted, reconnect });
  onTestFinished(() => client.close());
  return { gateway, port, client, calls };
}

const within = (client: GatewayClient) =>
  function Page({ children }: { children?: React.ReactNode }) {
    return (
      <StrictMode>
        <ClientProvider client={client}>{children}</ClientProvider>
      </StrictMode>
    );
  };

describe("the hooks of treadle/react, in strict mode", () => {
  it("start a run, show it, decide it, signal it and follow it to its end", async () => {
    const { client, gateway } = await scene();
    const { result } = renderHook(
      () => {
        const launch = useLaunch();
        const runId = launch.data?.runId;
        return {
          launch,
          run: useRun(runId, QUICKLY),
          runs: useRuns({}, QUICKLY),
          approvals: useApprovals({}, QUICKLY),
          events: useRunEvents(runId),
          signal: useSignal(runId ?? ""),
        };
      },
      { wrapper: within(client) },
    );
    expect(result.current.runs).toMatchObject({ data: undefined, isLoading: true, isStale: false });
    expect(result.current.run).toMatchObject({ data: undefined, isLoading: false });
    await act(async () => void (await result.current.launch.launch({ workflow: "ask" })));
    expect(result.current.launch).toMatchObject({ isPending: false, data: { workflowKey: "ask" } });
    await waitFor(() => expect(result.current.run.data?.status).toBe("waiting-approval"), PATIENT);
    await waitFor(() => expect(result.current.approvals.data?.approvals).toHaveLength(1), PATIENT);
    const [approval] = result.current.approvals.data?.approvals ?? [];
    if (approval === undefined) return expect.unreachable();

    const other = { ...approval, requestHash: "another question" };
    const refused = result.current.approvals.decide(other, { approved: true });
    await expect(refused).rejects.toMatchObject({ code: "REQUEST_CHANGED" });
    await act(async () => void (await result.current.approvals.decide(approval, { approved: true })));
    await waitFor(() => expect(result.current.approvals.data?.approvals).toEqual([]), PATIENT);
    await waitFor(() => expect(result.current.run.data?.status).toBe("waiting-event"), PATIENT);
    await act(async () => void (await result.current.signal.send("go", { n: 2 })));
    await waitFor(() => expect(result.current.events.isOver).toBe(true), PATIENT);
    const seqs = result.current.events.data.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index));
    await waitFor(() => expect(result.current.runs.data?.runs[0]?.runState).toBe("succeeded"), PATIENT);
    const { runId } = approval;
    expect((await gateway.call("getRun", { runId })).status).toBe("finished");
  });

  it("read once for all components that show the same, and nothing any more once they are gone", async () => {
    const { client, calls } = await scene();
    const Runs = () => <p>{useRuns({}, { pollMs: 60_000 }).data?.runs.length ?? "…"}</p>;
    const Page = within(client);
    const page = render(
      <Page>
        <Runs />
        <Runs />
        <Runs />
      </Page>,
    );
    await waitFor(() => expect(page.container.textContent).toBe("000"), PATIENT);
    // Strict mode mounts everything twice: the first look is given up for the second.
    expect(calls.length).toBeLessThanOrEqual(2);
    await waitFor(() => expect(client.connection.status).toBe("open"), PATIENT);
    page.unmount();
    await waitFor(() => expect(client.connection.status).toBe("idle"), PATIENT);
  });

  it("keep what they have while the gateway is gone, say that it is old, and continue when it is back", async () => {
    const { gateway, port, client } = await scene();
    const { runId } = await client.launchRun({ workflow: "ask" });
    await gateway.until(runId, "waiting-approval");
    const seen: { connection: string; isStale: boolean }[] = [];
    const { result } = renderHook(
      () => {
        const events = useRunEvents(runId);
        seen.push({ connection: client.connection.status, isStale: events.isStale });
        return { run: useRun(runId, QUICKLY), events };
      },
      { wrapper: within(client) },
    );
    await waitFor(() => expect(result.current.events.data.length).toBeGreaterThan(3), PATIENT);
    await waitFor(() => expect(result.current.run.data?.status).toBe("waiting-approval"), PATIENT);
    const before = seen.length;
    await gateway.gateway.close();
    await waitFor(() => expect(result.current.run.isStale).toBe(true), PATIENT);
    await waitFor(() => expect(result.current.events.isStale).toBe(true), PATIENT);
    expect(result.current.run).toMatchObject({
      data: { status: "waiting-approval" },
      error: { code: "CLIENT_CONNECTION_FAILED" },
    });
    const tries = () => seen.slice(before).filter(({ connection }) => connection === "connecting");
    await waitFor(() => expect(tries().length).toBeGreaterThan(1), PATIENT);
    expect(tries().filter(({ isStale }) => !isStale)).toEqual([]);
    const { folder } = gateway;
    await openGateway((next) => next.register("ask", asking(folder)), { folder, listen: { port } });
    await waitFor(
      () => expect(result.current.run).toMatchObject({ isStale: false, error: undefined }),
      PATIENT,
    );
    await waitFor(() => expect(result.current.events.isStale).toBe(false), PATIENT);
  });

  it("show what others change without a look by time, and read nothing anew that it is not about", async () => {
    const { client, gateway, calls } = await scene();
    const rarely = { pollMs: 3_600_000 };
    const { result } = renderHook(
      () => ({
        runs: useRuns({}, rarely),
        approvals: useApprovals({}, rarely),
        run: useRun("other", rarely),
      }),
      { wrapper: within(client) },
    );
    await waitFor(() => expect(result.current.approvals.data?.approvals).toEqual([]), PATIENT);
    await waitFor(() => expect(client.connection.status).toBe("open"), PATIENT);
    const { runId } = await gateway.call("launchRun", { workflow: "ask" });
    await waitFor(
      () => expect(result.current.runs.data?.runs[0]?.runState).toBe("waiting-approval"),
      PATIENT,
    );
    await waitFor(() => expect(result.current.approvals.data?.approvals).toHaveLength(1), PATIENT);
    const before = calls.filter((method) => method === "getRun").length;
    await gateway.call("submitApproval", { runId, nodeId: "gate", approved: true });
    await waitFor(() => expect(result.current.approvals.data?.approvals).toEqual([]), PATIENT);
    await waitFor(() => expect(result.current.runs.data?.runs[0]?.runState).toBe("waiting-event"), PATIENT);
    expect(calls.filter((method) => method === "getRun")).toHaveLength(before);
  });

  it("end their stream with the last component that shows it", async () => {
    const { client, gateway } = await scene();
    const { runId } = await client.launchRun({ workflow: "ask" });
    await gateway.until(runId, "waiting-approval");
    const hook = renderHook(() => useRunEvents(runId), { wrapper: within(client) });
    await waitFor(() => expect(hook.result.current.data.length).toBeGreaterThan(3), PATIENT);
    expect(client.connection.status).toBe("open");
    hook.unmount();
    await waitFor(() => expect(client.connection.status).toBe("idle"), PATIENT);
  });

  it("say what an action failed with, until it is reset", async () => {
    const { client } = await scene();
    const { result } = renderHook(() => useLaunch(), { wrapper: within(client) });
    await act(async () => void (await result.current.launch({ workflow: "nothing" }).catch(() => {})));
    expect(result.current).toMatchObject({ isPending: false, error: { code: "WORKFLOW_NOT_FOUND" } });
    act(() => result.current.reset());
    expect(result.current.error).toBeUndefined();
  });

  it("work below a provider only", () => {
    expect(() => renderHook(() => useRuns())).toThrow("<ClientProvider client={…}>");
  });
});

/** @jsxImportSource react */
import "../react/support/dom.js";
import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { GatewayClient, GatewayMethods } from "../../src/client/index.js";
import { Approvals } from "../../src/console/Approvals.js";
import { RunPage } from "../../src/console/RunPage.js";
import { Runs } from "../../src/console/Runs.js";
import type { ApprovalRow } from "../../src/model/approval.js";
import { ClientProvider } from "../../src/react/index.js";

afterEach(cleanup);

const damaged = [{ runId: "torn", damage: { name: "ServiceError", message: "its rows are torn" } }];

/** A page before a gateway that answers so. */
function pageOf(answers: Partial<GatewayClient>, children: React.ReactNode) {
  const client = {
    connection: { status: "open" },
    onConnection: () => () => {},
    listApprovals: async () => ({ approvals: [], nextCursor: null }),
    ...answers,
  } as Partial<GatewayClient> as GatewayClient;
  return render(<ClientProvider client={client}>{children}</ClientProvider>);
}

const question = {
  runId: "r",
  nodeId: "gate",
  iteration: 0,
  request: { title: "Go?" },
  requestHash: "first",
  requestedAtMs: 0,
  mode: "decision",
  options: null,
  allowedUsers: null,
  allowedScopes: null,
} as unknown as ApprovalRow;

describe("the operator's page", () => {
  it("does not count a page of requests as all of them, and names the runs that cannot be read", async () => {
    const approvals = [question] as GatewayMethods["listApprovals"]["result"]["approvals"];
    const page = pageOf(
      { listApprovals: async () => ({ approvals, nextCursor: "further", damaged }) },
      <Approvals filter={{}} heading="Waits" />,
    );
    await page.findByText("Waits (1+)");
    expect(page.container.textContent).toContain("treadle inbox lists them");
    expect(page.container.textContent).toContain("torn cannot be read: its rows are torn");
  });

  it("does not say that there is nothing where only the first page is empty", async () => {
    const page = pageOf(
      {
        listApprovals: async () => ({ approvals: [], nextCursor: "further" }),
        listRuns: async () => ({ runs: [], nextCursor: "further", damaged }),
      },
      <>
        <Approvals filter={{ workflow: "rare" }} heading="Waits" />
        <Runs filter={{ workflow: "rare" }} />
      </>,
    );
    await page.findByText("Waits (0+)");
    await page.findByText(/Older runs are not shown/);
    expect(page.container.textContent).not.toMatch(/Nothing waits|No run yet/);
    expect(page.container.textContent).toContain("torn cannot be read");
  });

  it("says who stopped a run, and counts as done what has finished", async () => {
    const run = {
      runId: "r",
      workflowName: "night",
      runState: "stopped",
      stopped: { reason: "SIGINT to process 12 of ada", atMs: 0 },
      createdAtMs: 0,
      startedAtMs: 0,
      finishedAtMs: null,
      nodes: { finished: 67, skipped: 137, pending: 1 },
      resumeFailure: null,
      blockers: [],
      error: null,
      nextRunId: null,
    } as unknown as GatewayMethods["getRun"]["result"];
    const list = pageOf({ listRuns: async () => ({ runs: [run], nextCursor: null }) }, <Runs filter={{}} />);
    await list.findByText("night");
    expect(list.container.textContent).toMatch(
      /■ stoppedSIGINT to process 12 of ada · tasks 67\/205, 137 skipped/,
    );
  });

  it("says of a question that changes only that, where it is not answered", async () => {
    let requestHash = "first";
    const page = pageOf(
      {
        listApprovals: async () => ({
          approvals: [{ ...question, requestHash, workflowKey: null }],
          nextCursor: null,
        }),
      },
      <Approvals filter={{}} heading="Waits" />,
    );
    await page.findByText("Waits (1)");
    requestHash = "second";
    const alert = await page.findByRole("alert", {}, { timeout: 60_000 });
    expect(alert.textContent).toContain("The question has changed");
    expect(alert.textContent).not.toContain("your answer");
  });

  it("says that the tasks of a long run are not all of them", async () => {
    const run = {
      runId: "r",
      workflowName: "w",
      runState: "running",
      createdAtMs: 0,
      startedAtMs: 0,
      finishedAtMs: null,
      error: null,
      nextRunId: null,
      blockers: [],
    };
    const page = pageOf(
      {
        getRun: async () => run as unknown as GatewayMethods["getRun"]["result"],
        async *runEvents() {
          const event = {
            type: "NodeStarted",
            runId: "r",
            nodeId: "late",
            iteration: 0,
            attempt: 1,
            timestampMs: 0,
          };
          yield { seq: 20_000, event } as never;
          await new Promise(() => {});
        },
      },
      <RunPage runId="r" />,
    );
    await page.findAllByText("late");
    await waitFor(() => expect(page.container.textContent).toContain("treadle inspect lists all"));
  });
});

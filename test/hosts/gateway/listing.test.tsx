import { describe, expect, it } from "vitest";
import { openGateway } from "./support/gateway.js";
import { asking, doubling } from "./support/workflows.js";

interface Page {
  runs: { runId: string; workflowKey: string | null; createdAtMs: number }[];
  nextCursor: string | null;
}

describe("the list of runs", () => {
  it("is one list over all databases, in pages that neither repeat nor miss a run", async () => {
    const gateway = await openGateway((gateway, folder) => {
      gateway
        .register("a", doubling(folder, { db: "a.db" }))
        .register("b", doubling(folder, { db: "b.db" }))
        .register("c", doubling(folder, { name: "other", db: "b.db" }));
    });
    const launched: string[] = [];
    for (let n = 0; n < 24; n += 1) {
      const workflow = ["a", "b", "c"][n % 3];
      const { runId } = (await gateway.call("launchRun", { workflow, input: { n } })) as { runId: string };
      launched.push(runId);
    }
    const listed: Page["runs"] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await gateway.call<Page & Record<string, unknown>>("listRuns", {
        limit: 5,
        ...(cursor !== null && { cursor }),
      });
      expect(page.runs.length).toBeLessThanOrEqual(5);
      listed.push(...page.runs);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(listed.map(({ runId }) => runId).toSorted()).toEqual(launched.toSorted());
    expect(listed.map(({ createdAtMs }) => -createdAtMs)).toEqual(
      listed.map(({ createdAtMs }) => -createdAtMs).toSorted((x, y) => x - y),
    );
    for (const key of ["a", "b", "c"]) {
      const ofKey: string[] = [];
      let at: string | null = null;
      do {
        const page: Page = await gateway.call<Page & Record<string, unknown>>("listRuns", {
          workflow: key,
          limit: 3,
          ...(at !== null && { cursor: at }),
        });
        ofKey.push(...page.runs.map(({ runId }) => runId));
        at = page.nextCursor;
      } while (at !== null);
      const own = launched.filter((_, n) => ["a", "b", "c"][n % 3] === key);
      expect(ofKey.toSorted()).toEqual(own.toSorted());
    }
  });

  it("takes filters, and refuses those it does not know", async () => {
    const gateway = await openGateway((gateway, folder) => {
      gateway.register("ask", asking(folder)).register("twice", doubling(folder));
    });
    const { runId } = (await gateway.call("launchRun", { workflow: "ask" })) as { runId: string };
    const other = (await gateway.call("launchRun", { workflow: "twice", input: { n: 1 } })) as {
      runId: string;
    };
    await gateway.until(runId, "waiting-approval");
    await gateway.until(other.runId, "finished");
    expect(await gateway.call("listRuns", { status: "waiting-approval" })).toMatchObject({
      runs: [{ runId }],
    });
    expect(await gateway.call("listRuns", { workflowName: "double" })).toMatchObject({
      runs: [{ runId: other.runId }],
    });
    expect(await gateway.call("listApprovals", { workflow: "ask" })).toMatchObject({
      approvals: [{ runId }],
    });
    expect(await gateway.call("listApprovals", { workflow: "twice" })).toEqual({
      approvals: [],
      nextCursor: null,
    });
    expect((await gateway.rpc("listRuns", { workflow: "nothing" })).status).toBe(404);
    for (const filter of [{ state: "x" }, { status: "x" }, { limit: 501 }, { cursor: "x" }]) {
      expect(await gateway.rpc("listRuns", filter)).toMatchObject({
        status: 400,
        body: { error: { code: "INVALID_INPUT" } },
      });
    }
  });
});

describe("the list of approvals", () => {
  it("is one list over all databases, in pages that neither repeat nor miss one", async () => {
    const gateway = await openGateway((gateway, folder) => {
      gateway.register("a", asking(folder, { db: "a.db" })).register("b", asking(folder, { db: "b.db" }));
    });
    const launched: string[] = [];
    for (let n = 0; n < 9; n += 1) {
      const { runId } = (await gateway.call("launchRun", { workflow: ["a", "b"][n % 2] })) as {
        runId: string;
      };
      launched.push(runId);
      await gateway.until(runId, "waiting-approval");
    }
    for (const [filter, expected] of [
      [{}, launched],
      [{ workflow: "b" }, launched.filter((_, n) => n % 2 === 1)],
    ] as const) {
      const listed: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { approvals: { runId: string }[]; nextCursor: string | null } = await gateway.call(
          "listApprovals",
          { ...filter, limit: 2, ...(cursor !== null && { cursor }) },
        );
        listed.push(...page.approvals.map(({ runId }) => runId));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(listed).toEqual(expected);
    }
  });
});

import { describe, expect, it } from "vitest";
import { bearer, openGateway } from "./support/gateway.js";
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

describe("runs with a text or an annotation", () => {
  it("are found over all databases, in lists and counts alike", async () => {
    const gateway = await openGateway((gateway, folder) => {
      gateway.register("a", doubling(folder, { db: "a.db" })).register("b", doubling(folder, { db: "b.db" }));
    });
    const launch = (workflow: string, runId: string, n: number, annotations: object) =>
      gateway.call("launchRun", { workflow, runId, input: { n }, annotations });
    await launch("a", "blue-1", 4711, { team: "core" });
    await launch("b", "red-1", 4711, { team: "edge" });
    await launch("b", "blue-2", 5, { team: "core", pr: 7 });
    const found = async (filter: object) => {
      const { runs } = await gateway.call<Page>("listRuns", filter);
      const { counts } = await gateway.call<{ counts: Record<string, number> }>("runHistogram", filter);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(runs.length);
      return runs.map(({ runId }) => runId).toSorted();
    };
    expect(await found({ text: "BLUE" })).toEqual(["blue-1", "blue-2"]);
    expect(await found({ text: "471" })).toEqual(["blue-1", "red-1"]);
    expect(await found({ text: "471", annotations: { team: "edge" } })).toEqual(["red-1"]);
    expect(await found({ annotations: { team: "core", pr: "7" }, workflow: "b" })).toEqual(["blue-2"]);
    const { error } = (await gateway.rpc("listRuns", { text: "" })).body as { error: { message: string } };
    expect(error.message).toMatch(/text.* a string of 1 to 256 characters/);
  });
});

describe("runs that need the caller", () => {
  const tokens = {
    ada: { role: "lead", scopes: ["*"], userId: "ada" },
    eve: { role: "operator", scopes: ["run:read", "approval:submit", "ops"], userId: "eve" },
    may: { role: "viewer", scopes: ["run:read"], userId: "may" },
  };

  it("are those with a request that the caller may decide, in lists and counts alike", async () => {
    const gateway = await openGateway(
      (gateway, folder) => {
        gateway
          .register("all", asking(folder, { db: "a.db" }))
          .register("ops", asking(folder, { db: "b.db", allowedScopes: ["ops"] }))
          .register("lead", asking(folder, { db: "c.db", allowedScopes: ["lead"] }))
          .register("eve", asking(folder, { db: "d.db", allowedUsers: ["eve"] }));
      },
      { auth: { mode: "token", tokens } },
    );
    for (const workflow of ["all", "ops", "lead", "eve"]) {
      const { runId } = await gateway.call<{ runId: string }>("launchRun", { workflow }, bearer("ada"));
      await gateway.until(runId, "waiting-approval", bearer("ada"));
    }
    const needing = async (name: string) => {
      const { runs } = await gateway.call<Page>("listRuns", { needsMe: true }, bearer(name));
      const { counts } = await gateway.call<{ counts: Record<string, number> }>(
        "runHistogram",
        { needsMe: true },
        bearer(name),
      );
      expect(counts["waiting-approval"] ?? 0).toBe(runs.length);
      return runs.map(({ workflowKey }) => workflowKey).toSorted();
    };
    expect(await needing("ada")).toEqual(["all", "lead", "ops"]);
    expect(await needing("eve")).toEqual(["all", "eve", "ops"]);
    expect(await needing("may")).toEqual([]);
  });

  it("say what began them, what they wait for and what they have spent", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const { runId } = await gateway.call<{ runId: string }>("launchRun", { workflow: "ask" });
    await gateway.until(runId, "waiting-approval");
    expect(await gateway.call("listRuns", { waitsFor: ["approval"] })).toMatchObject({
      runs: [
        {
          runId,
          trigger: { kind: "gateway", by: null },
          tokens: 0,
          waiting: { nodeId: "gate", iteration: 0, wait: "approval", sinceMs: expect.any(Number) },
        },
      ],
    });
    expect(await gateway.call("listRuns", { withFailures: true })).toMatchObject({ runs: [] });
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
    const ofB = launched.filter((_, n) => n % 2 === 1);
    for (const [filter, expected] of [
      [{}, launched],
      [{ workflow: "b" }, ofB],
      [{ descending: true }, launched.toReversed()],
      [{ descending: true, workflow: "b" }, ofB.toReversed()],
      [{ descending: true, workflowName: "ask" }, launched.toReversed()],
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

import { once } from "node:events";
import { join } from "node:path";
import {
  type AgentGenerateOptions,
  type AgentLike,
  cancelRun,
  createService,
  explainRun,
  getRun,
  hijackRun,
  listEvents,
  releaseHijack,
  runWorkflow,
  ServiceDb,
  ServiceError,
  type TaskProps,
} from "treadle";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findDueRuns } from "../../../src/operations/supervise/due-runs.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

type Behaviour = "work" | "answer" | "listen" | "unannounced" | "nameless" | "silent" | "lost";

/** Works until it is stopped, or answers; opens a session unless it is silent. */
function sessionAgent(behaviours: Behaviour[], options: { canBeOpened?: boolean } = {}) {
  const calls: AgentGenerateOptions[] = [];
  let begun: (() => void) | undefined;
  const agent: AgentLike = {
    id: "clerk",
    async generate(args = {}) {
      calls.push(args);
      const behaviour = behaviours[Math.min(calls.length, behaviours.length) - 1];
      begun?.();
      if (behaviour === "lost") {
        throw new ServiceError("AGENT_CLI_ERROR", "no such conversation", { details: { reason: "session" } });
      }
      if (behaviour === "nameless") return { output: { text: "answered" } };
      const resume = args.resumeSession ?? `s${calls.length}`;
      if (behaviour === "unannounced") return { output: { text: "answered" }, sessionId: resume };
      if (behaviour !== "silent")
        args.onEvent?.({ type: "started", engine: "clerk", title: "clerk", resume });
      if (behaviour === "answer") return { output: { text: `answered in ${resume}` }, sessionId: resume };
      if (behaviour === "listen") await once(args.abortSignal as AbortSignal, "abort");
      await stopped(args.abortSignal as AbortSignal);
      throw args.abortSignal?.reason;
    },
    ...(options.canBeOpened !== false && {
      resumeCommand: (sessionId: string) => ({
        command: "clerk",
        args: ["--resume", sessionId],
        env: { HOME_OF: "x" },
      }),
    }),
  };
  const atWork = new Promise<void>((resolve) => {
    begun = resolve;
  });
  return { agent, calls, atWork };
}

async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

function desk(agent: AgentLike, props: Partial<TaskProps> = {}) {
  const dbPath = join(temporaryFolder("hijack"), "service.db");
  const { Workflow, Task, service, outputs } = createService(
    { output: z.object({ text: z.string() }) },
    { dbPath },
  );
  const workflow = service(() => (
    <Workflow name="desk">
      <Task
        id="write"
        output={outputs.output}
        agent={agent}
        retries={2}
        retryPolicy={{}}
        {...(props as object)}
      >
        Write a letter.
      </Task>
    </Workflow>
  ));
  const types = async (runId: string) =>
    (await listEvents(workflow, runId)).map(({ event }) => event.type).filter((type) => /Hijack/.test(type));
  return { workflow, types };
}

describe("taking over a running task", () => {
  it("stops its agent, tells how to open the session, and leaves the run waiting", async () => {
    const { agent, atWork } = sessionAgent(["work"]);
    const { workflow, types } = desk(agent);
    const running = runWorkflow(workflow, { runId: "r" });
    await atWork;
    const session = await hijackRun(workflow, { runId: "r" });
    expect(session).toEqual({
      runId: "r",
      nodeId: "write",
      iteration: 0,
      agentId: "clerk",
      sessionId: "s1",
      cwd: process.cwd(),
      command: "clerk",
      args: ["--resume", "s1"],
      env: { HOME_OF: "x" },
    });
    expect((await running).status).toBe("waiting-event");
    expect(await types("r")).toEqual(["RunHijackRequested", "RunHijacked"]);
  });

  it("counts as no failure, and needs no second request", async () => {
    const { agent, calls, atWork } = sessionAgent(["work"]);
    const { workflow } = desk(agent);
    const running = runWorkflow(workflow, { runId: "r" });
    await atWork;
    const session = await hijackRun(workflow, { runId: "r", nodeId: "write" });
    await running;
    expect(await hijackRun(workflow, { runId: "r" })).toEqual(session);
    const [node] = await new ServiceDb(workflow.db).store.listNodes("r");
    expect([node?.state, node?.failures, calls.length]).toEqual(["waiting-event", 0, 1]);
  });

  it("lasts: resuming the run does not take the session away from the person", async () => {
    const { agent, calls, atWork } = sessionAgent(["work"]);
    const { workflow } = desk(agent);
    const running = runWorkflow(workflow, { runId: "r" });
    await atWork;
    await hijackRun(workflow, { runId: "r" });
    await running;
    expect((await runWorkflow(workflow, { runId: "r", resume: true })).status).toBe("waiting-event");
    expect(calls).toHaveLength(1);
    expect(await findDueRuns(new ServiceDb(workflow.db).store, Date.now() + 9e9)).toEqual([]);
    expect((await explainRun(workflow, "r")).blockers).toEqual([
      expect.objectContaining({
        kind: "hijack",
        nodeId: "write",
        remedy: { action: "release-hijack", runId: "r", nodeId: "write", iteration: 0 },
      }),
    ]);
  });

  it("can end with the run being cancelled", async () => {
    const { agent, atWork } = sessionAgent(["work"]);
    const { workflow } = desk(agent);
    const running = runWorkflow(workflow, { runId: "r" });
    await atWork;
    await hijackRun(workflow, { runId: "r" });
    await running;
    await cancelRun(workflow, { runId: "r" });
    expect((await getRun(workflow, "r")).status).toBe("cancelled");
  });

  it("is refused when the agent has no session to open, and the task continues", async () => {
    const { agent, calls, atWork } = sessionAgent(["silent"], { canBeOpened: false });
    const { workflow, types } = desk(agent);
    const stop = new AbortController();
    const running = runWorkflow(workflow, { runId: "r", signal: stop.signal });
    await atWork;
    await expect(hijackRun(workflow, { runId: "r", nodeId: "write" })).rejects.toMatchObject({
      code: "TASK_HIJACK_UNSUPPORTED",
      message: expect.stringContaining("clerk"),
    });
    expect(calls[0]?.abortSignal?.aborted).toBe(false);
    stop.abort();
    await running;
    expect(await types("r")).toEqual(["RunHijackRequested", "RunHijackRefused"]);
  });

  it("is refused where no agent is at work", async () => {
    const { agent } = sessionAgent(["answer"]);
    const { workflow } = desk(agent);
    await runWorkflow(workflow, { runId: "r" });
    await expect(hijackRun(workflow, { runId: "r" })).rejects.toMatchObject({ code: "RUN_NOT_ACTIVE" });
    await expect(hijackRun(workflow, { runId: "r", nodeId: "write" })).rejects.toMatchObject({
      code: "RUN_NOT_ACTIVE",
    });
    await expect(hijackRun(workflow, { runId: "r", nodeId: "no" })).rejects.toMatchObject({
      code: "NODE_NOT_FOUND",
    });
    await expect(releaseHijack(workflow, { runId: "r", nodeId: "write" })).rejects.toMatchObject({
      code: "NODE_NOT_WAITING",
    });
  });
});

describe("giving a session back", () => {
  const takenOver = async (behaviours: Behaviour[], props: Partial<TaskProps> = {}) => {
    const clerk = sessionAgent(behaviours);
    const { workflow } = desk(clerk.agent, props);
    const running = runWorkflow(workflow, { runId: "r" });
    await clerk.atWork;
    await hijackRun(workflow, { runId: "r" });
    await running;
    await releaseHijack(workflow, { runId: "r" });
    return { ...clerk, workflow };
  };

  it("lets a supervisor continue with it", async () => {
    const { workflow } = await takenOver(["work", "answer"]);
    const due = await findDueRuns(new ServiceDb(workflow.db).store, Date.now());
    expect(due.map(({ reason }) => reason)).toEqual(["answered"]);
  });

  it("asks the agent, in that session, for the answer only", async () => {
    const { workflow, calls } = await takenOver(["work", "answer"]);
    const result = await runWorkflow(workflow, { runId: "r", resume: true });
    expect(result).toMatchObject({ status: "finished", output: { text: "answered in s1" } });
    expect(calls[1]).toMatchObject({
      resumeSession: "s1",
      prompt: expect.stringContaining("Do no further work"),
    });
    expect(calls[1]?.prompt).not.toContain("Write a letter.");
  });

  it("with onHijackExit reopen lets the agent continue with the task in that session", async () => {
    const { workflow, calls } = await takenOver(["work", "answer"], { onHijackExit: "reopen" });
    await runWorkflow(workflow, { runId: "r", resume: true });
    expect(calls[1]).toMatchObject({
      resumeSession: "s1",
      prompt: expect.stringContaining("Write a letter."),
    });
  });

  it("leaves a session that is gone after one attempt, and begins anew", async () => {
    const { workflow, calls } = await takenOver(["work", "lost", "answer"]);
    expect((await runWorkflow(workflow, { runId: "r", resume: true })).status).toBe("finished");
    expect(calls.map(({ resumeSession }) => resumeSession)).toEqual([undefined, "s1", undefined]);
    expect(calls[2]).toMatchObject({
      freshSession: true,
      prompt: expect.stringContaining("Write a letter."),
    });
  });
});

describe("a task with hijack", () => {
  it("is handed over as soon as its agent has a session, once", async () => {
    const { agent, calls } = sessionAgent(["work", "answer"]);
    const { workflow } = desk(agent, { hijack: true });
    expect((await runWorkflow(workflow, { runId: "r" })).status).toBe("waiting-event");
    await releaseHijack(workflow, { runId: "r" });
    expect((await runWorkflow(workflow, { runId: "r", resume: true })).status).toBe("finished");
    expect(calls).toHaveLength(2);
  });

  it("is handed over although its agent answers without minding that it is stopped", async () => {
    const { agent, calls } = sessionAgent(["answer"]);
    const { workflow, types } = desk(agent, { hijack: true });
    expect((await runWorkflow(workflow, { runId: "r" })).status).toBe("waiting-event");
    expect(await types("r")).toEqual(["RunHijacked"]);
    await releaseHijack(workflow, { runId: "r" });
    const result = await runWorkflow(workflow, { runId: "r", resume: true });
    expect(result.output).toEqual({ text: "answered in s1" });
    expect(calls.map(({ resumeSession }) => resumeSession)).toEqual([undefined, "s1"]);
  });

  it("stops an agent that begins to listen only once it has named its session", async () => {
    const { agent } = sessionAgent(["listen"]);
    const { workflow } = desk(agent, { hijack: true });
    expect((await runWorkflow(workflow, { runId: "r" })).status).toBe("waiting-event");
  });

  it("is handed over when its agent names the session only with its answer", async () => {
    const { agent } = sessionAgent(["unannounced"]);
    const { workflow } = desk(agent, { hijack: true });
    expect((await runWorkflow(workflow, { runId: "r" })).status).toBe("waiting-event");
    expect((await explainRun(workflow, "r")).blockers).toEqual([expect.objectContaining({ kind: "hijack" })]);
  });

  it("keeps the answer of an agent that has named no session, and says so", async () => {
    const { agent } = sessionAgent(["nameless"]);
    const { workflow, types } = desk(agent, { hijack: true });
    expect((await runWorkflow(workflow, { runId: "r" })).output).toEqual({ text: "answered" });
    expect(await types("r")).toEqual(["RunHijackRefused"]);
  });

  it("fails at once when its agent has no session to open", async () => {
    const { agent, calls } = sessionAgent(["answer"], { canBeOpened: false });
    const { workflow } = desk(agent, { hijack: true });
    const { status, error } = await runWorkflow(workflow, { runId: "r" });
    expect([status, error?.code, error?.details?.nodeId, error?.details?.agentId]).toEqual([
      "failed",
      "TASK_HIJACK_UNSUPPORTED",
      "write",
      "clerk",
    ]);
    expect(calls).toHaveLength(0);
  });
});

describe("a session that the agent's own options name", () => {
  it("is left after one failed attempt, too", async () => {
    const { agent, calls } = sessionAgent(["lost", "answer"]);
    const { workflow } = desk(agent);
    expect((await runWorkflow(workflow, { runId: "r" })).status).toBe("finished");
    expect(calls.map(({ freshSession }) => freshSession)).toEqual([undefined, true]);
  });
});

import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { Logger } from "../../../src/observability/log/logger.js";
import { logEvent } from "../../../src/observability/log/run-log.js";
import {
  installServiceObservability,
  type ServiceObservabilityOptions,
} from "../../../src/observability/index.js";
import { openScene } from "../../support/engine/scene.js";

afterEach(() => void vi.unstubAllEnvs());

const schemas = { row: z.object({ n: z.number() }) };

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

function install(options: ServiceObservabilityOptions = {}) {
  const installed = installServiceObservability({ logFormat: "json", logLevel: "info", ...options });
  onTestFinished(() => installed.close());
}

/** Fails once, and logs in between. */
async function runFlaky(work: () => void = () => undefined) {
  const { api, run } = openScene(schemas);
  const { Workflow, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="flaky">
      <Task id="flaky" output={outputs.row} retries={1}>
        {async (_inputs, { attempt }) => {
          await Promise.resolve();
          work();
          if (attempt === 1) throw new Error("No\nluck.");
          return { n: 1 };
        }}
      </Task>
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("finished");
}

describe("the log of a run", () => {
  it.each([
    { type: "NodeRetrying", nodeId: "n", iteration: 0, attempt: 1, retryAtMs: 1e17 },
    { type: "NodeWaitingQuota", nodeId: "n", iteration: 0, resetAtMs: 1e17 },
  ] as const)("bears a time that no calendar has: $type", (event) => {
    const lines: string[] = [];
    const logger = new Logger({ format: "json", level: "All", write: (line) => lines.push(line) });
    logEvent(logger, event, { runId: "r", atMs: 0 });
    expect(lines.join("")).toContain("+275760-09-13T00:00:00.000Z");
  });

  it("says how it goes, each record with the run and the task that it is about", async () => {
    const heard = hearStderr();
    install();
    await runFlaky();
    expect(heard.map(({ timestamp: _, ...rest }) => rest)).toEqual([
      { level: "INFO", message: "run started", runId: "run", workflowName: "flaky" },
      {
        level: "WARN",
        message: "task failed",
        runId: "run",
        nodeId: "flaky",
        iteration: 0,
        attempt: 1,
        code: "TASK_FAILED",
        error: "No\nluck.",
      },
      expect.objectContaining({ level: "INFO", message: "task is tried again", nodeId: "flaky" }),
      { level: "INFO", message: "run finished", runId: "run" },
    ]);
  });

  it("says less or more as its level says", async () => {
    const heard = hearStderr();
    install({ logLevel: "error" });
    await runFlaky();
    expect(heard).toEqual([]);
    install({ logLevel: "debug" });
    await runFlaky();
    expect(heard.map(({ message }) => message)).toContain("task started");
    expect(heard.map(({ message }) => message)).not.toContain("FrameCommitted");
    install({ logLevel: "all" });
    await runFlaky();
    expect(heard.map(({ message }) => message)).toContain("FrameCommitted");
  });

  it("is silent by default in a program that runs workflows", async () => {
    vi.stubEnv("SERVICE_LOG_LEVEL", "");
    const heard = hearStderr();
    await runFlaky();
    expect(heard).toEqual([]);
  });

  it("is there when the environment asks for it", async () => {
    vi.stubEnv("SERVICE_LOG_FORMAT", "json");
    vi.stubEnv("SERVICE_LOG_LEVEL", "info");
    const heard = hearStderr();
    await runFlaky();
    expect(heard.map(({ message }) => message)).toContain("run finished");
  });

  it("ends with its installation", async () => {
    const heard = hearStderr();
    const { close } = installServiceObservability({ logFormat: "json" });
    await close();
    await runFlaky();
    expect(heard).toEqual([]);
  });
});

describe("what a task's code logs", () => {
  it("carries the task's fields, also below and later", async () => {
    const lines: string[] = [];
    const logger = new Logger({ format: "json", level: "Info", write: (line) => lines.push(line) });
    await runFlaky(() => logger.log("Info", "working"));
    logger.log("Info", "outside");
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.map(({ timestamp: _, level: __, ...rest }) => rest)).toEqual([
      { message: "working", runId: "run", nodeId: "flaky", iteration: 0, attempt: 1 },
      { message: "working", runId: "run", nodeId: "flaky", iteration: 0, attempt: 2 },
      { message: "outside" },
    ]);
  });
});

describe("a logger", () => {
  it("keeps secrets of the environment, and what looks like one, out of messages and fields", () => {
    vi.stubEnv("SHOP_API_KEY", "hunter2-hunter2");
    const lines: string[] = [];
    const logger = new Logger({ format: "logfmt", level: "Info", write: (line) => lines.push(line) });
    logger.log("Error", "refused with hunter2-hunter2", {
      deep: { key: ["hunter2-hunter2"] },
      error: new Error("hunter2-hunter2"),
      bearer:
        "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    });
    expect(lines.join("")).not.toMatch(/hunter2|dozjgNryP4J3/);
    expect(lines).toHaveLength(1);
  });

  it("cuts what would fill the disk", () => {
    const lines: string[] = [];
    new Logger({ format: "string", level: "All", write: (line) => lines.push(line) }).log(
      "Info",
      "x".repeat(1e6),
    );
    expect(lines.join("").length).toBeLessThan(10_000);
  });

  it("harms no run when nothing can be written", () => {
    const logger = new Logger({
      format: "json",
      level: "All",
      write: () => {
        throw new Error("EPIPE");
      },
    });
    expect(() => logger.log("Info", "said")).not.toThrow();
  });
});

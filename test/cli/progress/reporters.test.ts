import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OutputStream } from "../../../src/cli/output/stream.js";
import { createLineReporter } from "../../../src/cli/progress/line-reporter.js";
import { RunTally } from "../../../src/cli/progress/run-tally.js";
import { createTreeReporter } from "../../../src/cli/progress/tree-reporter.js";
import type { XmlNode } from "../../../src/model/xml.js";
import { at, eventLog } from "../support/events.js";
import { MemoryEnd } from "../support/terminal.js";

const START = 1_000_000;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

function lines() {
  const end = new MemoryEnd();
  const reporter = createLineReporter(new OutputStream(end, {}), {
    tally: new RunTally(START),
    verbose: false,
    commandText: (command) => command,
  });
  return { end, reporter, log: eventLog(START) };
}

describe("progress as lines", () => {
  it("starts each line with the time since the start", () => {
    const { end, reporter, log } = lines();
    log.pass(83_000);
    reporter.event(log.event({ type: "NodeStarted", ...at("impl"), attempt: 1 }));
    expect(end.text).toBe("[+00:01:23] → impl\n");
    reporter.close();
  });

  it("has one line for a reload, whatever left the tree with it", () => {
    const { end, reporter, log } = lines();
    const reload = { generation: 1, changedFiles: ["flow.tsx"], durationMs: 1, outdated: [] };
    const changes = ["a", "b"].map((nodeId) => ({ nodeId, change: "removed" as const }));
    const reloaded = log.event({ type: "WorkflowReloaded", ...reload, changes });
    reporter.event(reloaded);
    for (const id of ["a", "b"]) {
      const left = log.event({ type: "NodeCancelled", ...at(id), reason: "it left the tree" });
      reporter.event({ ...left, timestampMs: reloaded.timestampMs });
    }
    expect(end.text.match(/\n/g)).toHaveLength(1);
    expect(end.text).toContain("2 removed");
    log.pass(1);
    reporter.event(log.event({ type: "NodeCancelled", ...at("c"), reason: "asked for" }));
    expect(end.text).toContain("c cancelled");
    reporter.close();
  });

  it("gives a sign of life when nothing has happened for long, and none after the end", () => {
    const { end, reporter, log } = lines();
    reporter.event(log.event({ type: "NodeStarted", ...at("slow"), attempt: 1 }));
    vi.advanceTimersByTime(10_000);
    expect(end.text).toContain("still running: slow");
    const written = end.text;
    reporter.close();
    vi.advanceTimersByTime(60_000);
    expect(end.text).toBe(written);
  });

  it("holds no cursor codes", () => {
    const { end, reporter, log } = lines();
    reporter.event(log.event({ type: "NodeStarted", ...at("a"), attempt: 1 }));
    reporter.print("from a task\n");
    reporter.close();
    expect(end.text).not.toContain("\u001b");
    expect(end.text).toContain("from a task\n");
  });
});

const TREE: XmlNode = {
  kind: "element",
  tag: "Workflow",
  props: { name: "w" },
  children: [
    {
      kind: "element",
      tag: "Parallel",
      props: { id: "both" },
      children: ["a", "b"].map((id) => ({ kind: "element", tag: "Task", props: { id }, children: [] })),
    },
  ],
};

function tree({ columns = 80 } = {}) {
  const end = new MemoryEnd({ isTTY: true, columns, rows: 12 });
  const reporter = createTreeReporter(new OutputStream(end, { NO_COLOR: "1" }), {
    tally: new RunTally(START),
    verbose: false,
    commandText: (command) => command,
    readTree: () => Promise.resolve(TREE),
  });
  return { end, reporter, log: eventLog(START) };
}

/** What a terminal shows after these characters: cursor up, erase line, erase what is below. */
function screen(text: string): string[] {
  const rows: string[] = [""];
  let row = 0;
  for (const part of text.replaceAll(/\u001b\[\?\d+[hl]|\r/g, "").split(/(\u001b\[\d*[AJK]|\n)/)) {
    const up = /^\u001b\[(\d+)A$/.exec(part);
    if (up !== null) row -= Number(up[1]);
    else if (part === "\u001b[2K") rows[row] = "";
    else if (part === "\u001b[0J") rows.splice(row, rows.length, "");
    else if (part === "\n") rows[++row] ??= "";
    else rows[row] = (rows[row] ?? "") + part;
  }
  return rows;
}

describe("progress as a picture", () => {
  it("shows counts and the tree with the state of each task", async () => {
    const { end, reporter, log } = tree();
    reporter.event(log.event({ type: "RunStarted", workflowName: "w", resumed: false, ownerId: "o" }));
    reporter.event(log.event({ type: "NodePending", ...at("b") }));
    reporter.event(log.event({ type: "NodeStarted", ...at("a"), attempt: 1 }));
    await vi.advanceTimersByTimeAsync(2_000);
    const shown = screen(end.text);
    expect(shown.find((line) => line.includes("0/2 done"))).toMatch(/w 0\/2 done · 1 running · 00:00:02$/);
    expect(shown).toContainEqual(expect.stringMatching(/^ {2}Parallel both$/));
    expect(shown).toContainEqual(expect.stringMatching(/^ {4}\S a 2\.0s$/));
    expect(shown).toContainEqual("    · b");
    reporter.close();
  });

  it("keeps moving while nothing happens", async () => {
    const { end, reporter } = tree();
    await vi.advanceTimersByTimeAsync(100);
    const before = end.text.length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(end.text.length).toBeGreaterThan(before);
    reporter.close();
  });

  it("prints what others write above the picture, and leaves it there", async () => {
    const { end, reporter, log } = tree();
    reporter.event(log.event({ type: "NodeStarted", ...at("a"), attempt: 1 }));
    await vi.advanceTimersByTimeAsync(300);
    reporter.print("a task says hello\n");
    await vi.advanceTimersByTimeAsync(300);
    reporter.close();
    const shown = screen(end.text).filter((line) => line !== "");
    expect(shown).toEqual(["a task says hello"]);
  });

  it("never writes a line wider than the terminal", async () => {
    const { end, reporter, log } = tree({ columns: 20 });
    reporter.event(log.event({ type: "NodeStarted", ...at("a"), attempt: 1 }));
    reporter.event(
      log.event({ type: "NodeOutput", ...at("a"), attempt: 1, stream: "stdout", text: "x".repeat(200) }),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    for (const line of screen(end.text)) expect([...line].length).toBeLessThan(20);
    reporter.close();
  });
});

import { describe, expect, it } from "vitest";
import { createColors } from "../../../src/cli/output/styles.js";
import { RunTally } from "../../../src/cli/progress/run-tally.js";
import { treeLines } from "../../../src/cli/progress/tree-lines.js";
import type { XmlElement, XmlNode } from "../../../src/model/xml.js";
import { at, eventLog } from "../support/events.js";

const element = (tag: string, props: Record<string, string>, ...children: XmlNode[]): XmlElement => ({
  kind: "element",
  tag,
  props,
  children,
});
const task = (id: string) => element("Task", { id });
const options = { colors: createColors(false), nowMs: 1_000_000, spinner: "*", rows: 10 };

function tallyOf(states: Record<string, "finished" | "running" | "pending" | "failed">) {
  const log = eventLog();
  const tally = new RunTally(0);
  for (const [nodeId, state] of Object.entries(states)) {
    tally.apply(log.event({ type: "NodePending", ...at(nodeId) }));
    if (state === "running") tally.apply(log.event({ type: "NodeStarted", ...at(nodeId), attempt: 1 }));
    if (state === "finished") tally.apply(log.event({ type: "NodeFinished", ...at(nodeId), attempt: 1 }));
    if (state === "failed") {
      tally.apply(
        log.event({ type: "NodeFailed", ...at(nodeId), attempt: 1, error: { name: "E", message: "m" } }),
      );
    }
  }
  return tally;
}

describe("the tree of a run", () => {
  it("has a line per task, indented by its groups; sequences do not indent", () => {
    const xml = element(
      "Workflow",
      { name: "w" },
      element(
        "Sequence",
        {},
        task("a"),
        element("Loop", { id: "l", iteration: "2" }, element("Sequence", {}, task("b"))),
      ),
    );
    const lines = treeLines(xml, tallyOf({ a: "finished", b: "failed" }), options);
    expect(lines).toEqual(["  ✓ a", "  Loop l iteration 2", "    ✗ b m"]);
  });

  it("shows what runs when there is no tree yet", () => {
    expect(treeLines(null, tallyOf({ a: "running", b: "pending" }), options)).toEqual([
      expect.stringMatching(/^ {2}\* a /),
    ]);
  });

  it("gives way where it is higher than the screen: what is done or not yet due is counted", () => {
    const names = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const states = Object.fromEntries(
      names.map(
        (name, index) => [name, index < 30 ? "finished" : index < 33 ? "running" : "pending"] as const,
      ),
    );
    const xml = element("Workflow", {}, element("Parallel", { id: "all" }, ...names.map(task)));
    const lines = treeLines(xml, tallyOf(states), options);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe("  Parallel all");
    expect(lines.slice(1, 4).map((line) => line.trim().split(" ")[1])).toEqual(["t30", "t31", "t32"]);
    expect(lines[4]).toBe("  … 30 finished, 17 pending");
  });

  it("never has more lines than the screen", () => {
    const names = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const xml = element("Workflow", {}, ...names.map(task));
    const lines = treeLines(
      xml,
      tallyOf(Object.fromEntries(names.map((name) => [name, "running"] as const))),
      options,
    );
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("  … 41 more");
  });
});

import { expect, it } from "vitest";
import { attemptText } from "../../../src/console/run/retries.js";
import { treeRows } from "../../../src/console/run/tree-rows.js";
import type { XmlElement } from "../../../src/model/xml.js";

const element = (tag: string, props: Record<string, string>, ...children: XmlElement[]): XmlElement => ({
  kind: "element",
  tag,
  props: { id: tag, ...props },
  children,
});

const retriesIn = (around: string, task: XmlElement) =>
  treeRows(
    element("Workflow", {}, element(around, {}, task)),
    [{ nodeId: task.props["id"] as string }],
    [],
  ).at(-1)?.retries;

it.each([
  ["without a limit of its own", {}, Number.POSITIVE_INFINITY],
  ["with retries", { retries: "2" }, 2],
  [
    "with retries that have no end",
    { retries: "Infinity", continueOnFail: "true" },
    Number.POSITIVE_INFINITY,
  ],
  ["with noRetry", { noRetry: "true" }, 0],
  ["whose failure is tolerated, which the frame does not tell", { continueOnFail: "true" }, null],
])("knows the retries of a task %s", (_, props, retries) => {
  expect(retriesIn("Sequence", element("Task", props))).toBe(retries);
});

it("does not promise attempts without end where a failure is handled, or where people are asked", () => {
  expect(retriesIn("TryPart", element("Task", {}))).toBeNull();
  expect(retriesIn("Sequence", element("Approval", {}))).toBeNull();
});

it("says which attempt it is of how many there may be", () => {
  const tried = (
    lastAttempt: number,
    failures: number,
    state: "in-progress" | "pending" | "failed" | "finished",
  ) => attemptText({ lastAttempt, failures, state }, 2);
  expect(tried(2, 1, "in-progress")).toBe("2/3");
  expect(tried(2, 2, "pending")).toBe("2/3");
  expect(tried(3, 3, "failed")).toBe("3/3");
  expect(tried(2, 1, "finished")).toBe("2/3");
  expect(attemptText({ lastAttempt: 7, failures: 6, state: "pending" }, Number.POSITIVE_INFINITY)).toBe(
    "7/∞",
  );
});

it("counts no attempt that did not fail against the retries", () => {
  expect(attemptText({ lastAttempt: 2, failures: 0, state: "in-progress" }, 2)).toBe("2/4");
});

import { expect, it } from "vitest";
import type { WorkflowContext } from "../../src/model/context.js";
import { embeddedView } from "../../src/model/context-view.js";

it("a context with another input is otherwise the same, live", () => {
  class Context {
    #runs = 1;
    input = { topic: "parent" };
    get runId() {
      return `run-${this.#runs}`;
    }
    output() {
      return { rows: this.#runs };
    }
    next() {
      this.#runs += 1;
    }
  }
  const parent = new Context();
  const child = embeddedView(parent as unknown as WorkflowContext, {
    input: { topic: "child" },
    keyOf: () => undefined,
  });
  expect([child.input, child.runId]).toEqual([{ topic: "child" }, "run-1"]);
  parent.next();
  expect(child.runId).toBe("run-2");
  expect(parent.input).toEqual({ topic: "parent" });
});

import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { createToolContext, defineTool, runWithToolContext } from "../../src/tools/index.js";

describe("defineTool", () => {
  it("hands the arguments and the facts of the task to execute", async () => {
    const tool = defineTool({
      name: "inspect",
      description: "Shows what it was given",
      schema: z.object({ word: z.string() }),
      execute: (args, { signal: _, ...facts }) => ({ args, facts }),
    });
    const context = createToolContext({
      runId: "r",
      nodeId: "n",
      iteration: 4,
      attempt: 3,
      rootDir: "/work",
      allowNetwork: true,
    });
    const result = await runWithToolContext(context, () => tool.execute({ word: "hello" }));
    expectTypeOf(result.args.word).toBeString();
    expect(result).toEqual({
      args: { word: "hello" },
      facts: {
        runId: "r",
        nodeId: "n",
        iteration: 4,
        attempt: 3,
        rootDir: "/work",
        allowNetwork: true,
        toolName: "inspect",
        idempotencyKey: "r:n:4:inspect:1",
      },
    });
  });

  it("takes a tool for harmless and repeatable until it says otherwise", () => {
    const define = (effects: { sideEffect?: boolean; idempotent?: boolean }) => {
      const tool = defineTool({ name: "t", schema: z.object({}), execute: () => null, ...effects });
      return { sideEffect: tool.sideEffect, idempotent: tool.idempotent };
    };
    expect(define({})).toEqual({ sideEffect: false, idempotent: true });
    expect(define({ sideEffect: true })).toEqual({ sideEffect: true, idempotent: false });
    expect(define({ sideEffect: true, idempotent: true })).toEqual({ sideEffect: true, idempotent: true });
  });

  it.each(["", "two words", "dots.are.out", "x".repeat(65)])("refuses the name %j", (name) => {
    expect(() => defineTool({ name, schema: z.object({}), execute: () => null })).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });

  it("refuses a revert for what has no side effect", () => {
    const define = () =>
      defineTool({ name: "look", schema: z.object({}), execute: () => null, revert: () => {} });
    expect(define).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });

  it("passes on what execute throws", async () => {
    const problem = new Error("out of stock");
    const tool = defineTool({
      name: "order",
      schema: z.object({}),
      execute() {
        throw problem;
      },
    });
    await expect(tool.execute({})).rejects.toBe(problem);
  });
});

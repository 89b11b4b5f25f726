import { describe, expect, it, onTestFinished } from "vitest";
import { RunListeners } from "../../src/store/listeners.js";

describe("listeners of a store", () => {
  it("are all called, in the order they came", () => {
    const listeners = new RunListeners();
    const heard: string[] = [];
    listeners.add((runId) => heard.push(`a ${runId}`));
    const off = listeners.add((runId) => heard.push(`b ${runId}`));
    listeners.notify("r1");
    off();
    off();
    listeners.notify("r2");
    expect(heard).toEqual(["a r1", "b r1", "a r2"]);
  });

  it("may leave while they are called", () => {
    const listeners = new RunListeners();
    const heard: string[] = [];
    const off = listeners.add(() => off());
    listeners.add((runId) => heard.push(runId));
    listeners.notify("r1");
    expect(heard).toEqual(["r1"]);
  });

  it("do not spoil the write or each other with an error, and the error is not lost", async () => {
    const uncaught = new Promise<unknown>((resolve) => {
      const before = process.listeners("uncaughtException");
      process.removeAllListeners("uncaughtException");
      process.once("uncaughtException", resolve);
      onTestFinished(() => {
        for (const listener of before) process.on("uncaughtException", listener);
      });
    });
    const listeners = new RunListeners();
    const heard: string[] = [];
    const failure = new Error("listener failed");
    listeners.add(() => {
      throw failure;
    });
    listeners.add((runId) => heard.push(runId));
    listeners.notify("r1");
    expect(heard).toEqual(["r1"]);
    expect(await uncaught).toBe(failure);
  });
});

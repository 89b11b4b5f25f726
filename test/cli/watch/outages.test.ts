import { expect, it } from "vitest";
import { watched } from "../../../src/cli/watch/watched.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import type { Report } from "../../../src/cli/report.js";
import { memoryTerminal } from "../support/terminal.js";

/** Looks one after the other; the last one ends the watching. */
function watching(looks: readonly (Error | Report)[]) {
  const terminal = memoryTerminal();
  const left = [...looks];
  const look = async () => {
    const next = left.shift() as Error | Report;
    if (next instanceof Error) throw next;
    return next;
  };
  const call = { terminal, args: [], options: { watch: true, interval: 1 }, documents: undefined };
  return { terminal, end: watched(call, look) };
}

const shows = (text: string, exitCode = 0): Report => ({ json: text, text: () => text, exitCode });
const away = () => new ServiceError("CLIENT_CONNECTION_FAILED", "The gateway is not there.");

it("a watch continues while its gateway is started anew, and says so once", async () => {
  const { terminal, end } = watching([shows("one"), away(), away(), shows("two", 3)]);
  expect(await end).toBe(3);
  expect(terminal.outEnd.text.match(/\w+/g)).toEqual(["one", "two"]);
  expect(terminal.errEnd.text.trim().split("\n")).toEqual([
    "! The gateway does not answer; what is shown grows old.",
    "The gateway answers again.",
  ]);
});

it("a watch of a gateway that never answered, and one that is refused, end", async () => {
  await expect(watching([away()]).end).rejects.toMatchObject({ code: "CLIENT_CONNECTION_FAILED" });
  const gone = new ServiceError("RUN_NOT_FOUND", "There is no such run.");
  await expect(watching([shows("one"), gone]).end).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});

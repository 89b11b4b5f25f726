import { expect, it } from "vitest";
import type { SequencedEvent } from "../../../src/client/index.js";
import { linesOf } from "../../../src/console/node/log-lines.js";

function printed(
  seq: number,
  text: string,
  stream: "stdout" | "stderr" = "stdout",
  attempt = 1,
): SequencedEvent {
  const address = { runId: "r", nodeId: "n", iteration: 0, attempt };
  return { seq, event: { type: "NodeOutput", ...address, timestampMs: seq, text, stream } };
}

const texts = (events: SequencedEvent[]) => linesOf(events).map(({ text }) => text);

it("puts the pieces of a line together, whatever came in between from another stream or attempt", () => {
  const lines = linesOf([
    printed(0, "one\ntw"),
    printed(1, "oops\n", "stderr"),
    printed(2, "second\n", "stdout", 2),
    printed(3, "o\nthree"),
    printed(4, "\n"),
    printed(5, "four\n"),
  ]);
  expect(lines.map(({ text, key }) => [text, key])).toEqual([
    ["one", "0.0"],
    ["two", "0.1"],
    ["oops", "1.0"],
    ["second", "2.0"],
    ["three", "3.1"],
    ["four", "5.0"],
  ]);
});

it("keeps empty lines, and ends no line twice", () => {
  expect(texts([printed(0, "a\n\nb\r\n"), printed(1, "")])).toEqual(["a", "", "b"]);
});

it("leaves out what is a command to a terminal, also where it comes in two pieces", () => {
  const link = "\u001b]8;;https://example.com\u0007here\u001b]8;;\u0007";
  expect(texts([printed(0, "\u001b[1;31mred\u001b[0m \u001b"), printed(1, `[2Jtext ${link}`)])).toEqual([
    "red text here",
  ]);
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { confirm } from "../../src/cli/input/confirm.js";
import { jsonText } from "../../src/cli/output/json-text.js";
import { OutputStream } from "../../src/cli/output/stream.js";
import { formatTable } from "../../src/cli/output/table.js";
import { callIn } from "../cli/support/in-process.js";
import { MemoryEnd, memoryTerminal } from "../cli/support/terminal.js";
import { Workspace } from "../cli/support/treadle.js";
import {
  ACTS_ON_TERMINAL,
  HOSTILE_TEXTS,
  withoutOwnMoves,
  withoutOwnStyles,
} from "./support/hostile-text.js";

const hostile = Object.entries(HOSTILE_TEXTS);

function printed(print: (stream: OutputStream) => void): string {
  const end = new MemoryEnd({ isTTY: true });
  const stream = new OutputStream(end, {});
  print(stream);
  stream.keepPicture();
  return end.text;
}

describe.each(hostile)("a text that %s", (_what, text) => {
  it("does nothing to the terminal that it is printed on", () => {
    const output = printed((stream) => {
      stream.line(text);
      stream.write(text);
      stream.line(`${stream.colors.red(text)} ${stream.colors.bold(stream.colors.cyan(text))}`);
      stream.line(formatTable([text], [[text], [stream.colors.dim(text)]], { width: 20 }));
    });
    expect(withoutOwnStyles(output)).not.toMatch(ACTS_ON_TERMINAL);
  });

  it("is spelled exactly in JSON, and as safe to look at", () => {
    const json = jsonText({ [text]: [text] });
    expect(json).not.toMatch(ACTS_ON_TERMINAL);
    expect(JSON.parse(json)).toEqual({ [text]: [text] });
    expect(printed((stream) => stream.line(json))).toBe(`${json}\n`);
  });

  it("is no part of a question", async () => {
    const terminal = memoryTerminal({ isInteractive: true, answers: ["n"] });
    await confirm(text, { terminal, yes: false });
    expect(terminal.errEnd.text).not.toMatch(ACTS_ON_TERMINAL);
    expect(terminal.errEnd.text).not.toContain("\n");
  });
});

describe("a picture that is redrawn", () => {
  it("holds its lines to one row each, whatever their text", () => {
    const output = printed((stream) => stream.redraw(hostile.map(([, text]) => `${text}\nsecond`)));
    const rest = withoutOwnMoves(output);
    expect(rest).not.toMatch(ACTS_ON_TERMINAL);
    expect(rest.split("\n")).toHaveLength(hostile.length + 1);
  });
});

describe("the colours of the command line", () => {
  it("cannot be imitated by a text", () => {
    expect(printed((stream) => stream.line("\u001b[32m✓ approved\u001b[39m"))).toBe(
      "\\x1b[32m✓ approved\\x1b[39m\n",
    );
  });

  it("come back after a style inside them has ended", () => {
    const output = printed((stream) => stream.write(stream.colors.red(`a${stream.colors.red("b")}c`)));
    expect(output).toBe("\u001b[31ma\u001b[31mb\u001b[39m\u001b[31mc\u001b[39m");
  });
});

describe("--raw", () => {
  it("is refused for a terminal", () => {
    const stream = new OutputStream(new MemoryEnd({ isTTY: true }), {});
    expect(() => stream.sendRaw()).toThrow(/--raw is for pipes/);
  });

  it("sends text as it is to a pipe", () => {
    const end = new MemoryEnd();
    const stream = new OutputStream(end, {});
    stream.sendRaw();
    stream.write("\u001b[2J");
    expect(end.text).toBe("\u001b[2J");
  });
});

/** Everything in it that can hold text holds all hostile texts. */
const HOSTILE_WORKFLOW = (text: string) => `
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Parallel, Task, Approval, WaitForEvent, service, outputs } = createService({
  row: z.object({ text: z.string() }),
  decision: z.object({ approved: z.boolean() }),
});
const text = ${JSON.stringify(text)};
export default service(() => (
  <Workflow name={"flow " + text.slice(0, 60)}>
    <Parallel>
      <Task id="writes" label={text} output={outputs.row}>{() => {
        console.log(text);
        return { text };
      }}</Task>
      <Task id="fails" noRetry continueOnFail output={outputs.row}>{() => { throw new TypeError(text); }}</Task>
      <Approval id="ship" output={outputs.decision}
        request={{ title: text, summary: text, metadata: { [text]: text } }} />
    </Parallel>
  </Workflow>
));
`;

describe("a workflow whose every text is hostile", () => {
  it("leaves the terminal alone, whatever command shows it", async () => {
    const workspace = new Workspace({
      "flow.tsx": HOSTILE_WORKFLOW(hostile.map(([, text]) => text).join(" ")),
    });
    const calls = [
      ["up", "flow.tsx", "--run-id", "h1", "-v"],
      ["ps"],
      ["inspect", "h1"],
      ["why", "h1"],
      ["inbox"],
      ["node", "h1", "fails"],
      ["node", "h1", "writes"],
      ["output", "h1", "writes"],
      ["events", "h1"],
      ["logs", "h1"],
      ["graph", "flow.tsx"],
      ["approve", "h1", "--dry-run"],
      ["deny", "h1", "ship", "--yes", "--note", HOSTILE_TEXTS["repaints the screen"] as string],
      [
        "node",
        "h1",
        hostile
          .map(([, text]) => text)
          .join("")
          .replaceAll("\u0000", ""),
      ],
    ];
    const shown: Record<string, string> = {};
    for (const call of calls) {
      for (const extra of [[], ["--json"]]) {
        if (call[0] === "deny" && extra.length > 0) continue;
        const argv = [...call, ...extra];
        const colored = { FORCE_COLOR: "1" };
        // What a task prints is caught where the process is its own.
        const { stdout, stderr } =
          call[0] === "up"
            ? await workspace.run(argv, { env: colored })
            : await callIn(workspace.folder, argv, { ...colored, NO_COLOR: "" });
        const name = [...call.slice(0, 2), ...extra].join(" ");
        shown[name] = stdout + stderr;
        expect(withoutOwnStyles(stdout + stderr), name).not.toMatch(ACTS_ON_TERMINAL);
      }
    }
    // The texts were really shown, by name.
    for (const name of ["why h1", "inbox", "node h1", "events h1", "approve h1"]) {
      expect(shown[name], name).toContain("\\x1b[2J");
    }
  });
});

describe("the code of the command line", () => {
  it("has no way to the terminal but the stream that makes text visible", () => {
    const folder = new URL("../../src/cli/", import.meta.url);
    const printing = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .filter((path) =>
        /\bconsole\.|process\.std(?:out|err)/.test(readFileSync(new URL(path, folder), "utf8")),
      );
    // The one opens the streams, the other takes them away from everybody else.
    expect(printing.sort()).toEqual(["output/console-capture.ts", "terminal.ts"]);
  });
});

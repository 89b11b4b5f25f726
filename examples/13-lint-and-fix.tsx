/**
 * 13. Scan, fix, verify: a linter's findings become tasks, one for each file, until nothing is left.
 *
 *     npx treadle up examples/13-lint-and-fix.tsx
 *     npx treadle up examples/13-lint-and-fix.tsx --run-id mine --set root=src   # changes the .mjs files in src
 *
 * Without a folder of yours it works on a small one that it makes, `untidy`. The scanner and the verifier of
 * the `ScanFixVerify` are the linter below, no model. The fixer is a tool-loop agent with the tools `read` and
 * `write`, whose model is a stand-in. There is one issue per file and not one per finding: fixes take place at
 * the same time, and two of them must not change one file. Some findings show only when others are fixed (a
 * `var` that has become a `let` may be a `const`), so it takes two rounds.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolLoopAgent } from "ai";
import { type AgentLike, createService } from "treadle";
import { read, write } from "treadle/tools";
import { z } from "zod";
import { offlineModel } from "./offline-model.js";

const Issue = z.object({ file: z.string(), findings: z.array(z.string()) });

const { Workflow, Sequence, ScanFixVerify, Task, service, outputs } = createService({
  input: z.object({ root: z.string().optional() }),
  folder: z.object({ root: z.string() }),
  scan: z.object({ issues: z.array(Issue) }),
  fix: z.object({ file: z.string(), fixed: z.int() }),
  verification: z.object({ resolved: z.boolean(), left: z.int() }),
  output: z.object({ rounds: z.int(), fixed: z.int(), left: z.int() }),
});

const SAMPLE = {
  "prices.mjs":
    "var rate = 1.19;\n\nexport function withTax(net) {\n  var gross = net * rate;\n  return gross;\n}\n",
  "find.mjs": "export function find(list, id) {\n  for (var one of list) if (one.id == id) return one;\n}\n",
  "clean.mjs": "export const answer = 42;\n",
};

interface Rule {
  name: string;
  /** Whether a line, in its file, breaks the rule. */
  isBroken(line: string, text: string): boolean;
  fix(line: string): string;
}

const RULES: readonly Rule[] = [
  {
    name: "no-var",
    isBroken: (line) => /\bvar\b/.test(line),
    fix: (line) => line.replaceAll(/\bvar\b/g, "let"),
  },
  {
    name: "eqeqeq",
    isBroken: (line) => /[^=!]==[^=]/.test(line),
    fix: (line) => line.replaceAll(/([^=!])==([^=])/g, "$1===$2"),
  },
  {
    name: "prefer-const",
    isBroken(line, text) {
      const name = /\blet (\w+)\b/.exec(line)?.[1];
      // Given a value once, where it is declared.
      return name !== undefined && !new RegExp(`(?<!let )\\b${name} ?(?:[-+*/]?=[^=]|\\+\\+|--)`).test(text);
    },
    fix: (line) => line.replaceAll(/\blet\b/g, "const"),
  },
];

/** `3: no-var` for each line that breaks a rule. */
function findingsIn(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, at) =>
      RULES.filter((rule) => rule.isBroken(line, text)).map(({ name }) => `${at + 1}: ${name}`),
    );
}

function fixed(text: string, findings: readonly string[]): string {
  const lines = text.split("\n");
  for (const finding of findings) {
    const [number = "", name] = finding.split(": ");
    const rule = RULES.find((one) => one.name === name);
    const at = Number(number) - 1;
    lines[at] = rule?.fix(lines[at] ?? "") ?? lines[at] ?? "";
  }
  return lines.join("\n");
}

async function lint(rootDir: string, root: string): Promise<z.infer<typeof Issue>[]> {
  const files = (await readdir(join(rootDir, root))).filter((name) => name.endsWith(".mjs")).sort();
  const issues = await Promise.all(
    files.map(async (name) => {
      const findings = findingsIn(await readFile(join(rootDir, root, name), "utf8"));
      return { file: `${root}/${name}`, findings };
    }),
  );
  return issues.filter(({ findings }) => findings.length > 0);
}

/** What a model would read out of its prompt. */
function issueIn(prompt: string): z.infer<typeof Issue> {
  return Issue.parse(JSON.parse(/```json\n(.*?)```/s.exec(prompt)?.[1] ?? "{}"));
}

const fixer = new ToolLoopAgent({
  id: "fixer",
  tools: { read, write },
  model: offlineModel(
    ({ prompt }) => ({ call: "read", input: { path: issueIn(prompt).file } }),
    ({ prompt, results: [text] }) => {
      const { file, findings } = issueIn(prompt);
      return { call: "write", input: { path: file, content: fixed(String(text), findings) } };
    },
    ({ prompt }) => {
      const { file, findings } = issueIn(prompt);
      return { answer: { file, fixed: findings.length } };
    },
  ),
});

export default service((ctx) => {
  const root = ctx.outputMaybe("folder", { nodeId: "folder" })?.root ?? "untidy";
  const scanner: AgentLike = {
    id: "linter",
    generate: async ({ rootDir = "." } = {}) => ({ issues: await lint(rootDir, root) }),
  };
  const verifier: AgentLike = {
    id: "linter-again",
    async generate({ rootDir = ".", taskContext } = {}) {
      const left = (await lint(rootDir, root)).flatMap(({ findings }) => findings).length;
      // The verifier also writes the report.
      if (taskContext?.nodeId === "tidy-report") {
        const done = ctx.outputs.fix.map((row) => row.fixed).reduce((sum, count) => sum + count, 0);
        return { rounds: ctx.iterationCount("scan", "tidy-scan"), fixed: done, left };
      }
      return { resolved: left === 0, left };
    },
  };
  return (
    <Workflow name="lint-and-fix">
      <Sequence>
        <Task id="folder" output={outputs.folder}>
          {async (_rows, { rootDir }) => {
            if (ctx.input.root !== undefined) return { root: ctx.input.root };
            await mkdir(join(rootDir, "untidy"), { recursive: true });
            for (const [name, text] of Object.entries(SAMPLE)) {
              await writeFile(join(rootDir, "untidy", name), text);
            }
            return { root: "untidy" };
          }}
        </Task>
        <ScanFixVerify
          id="tidy"
          scanner={scanner}
          fixer={fixer}
          verifier={verifier}
          scanOutput={outputs.scan}
          fixOutput={outputs.fix}
          verifyOutput={outputs.verification}
          reportOutput={outputs.output}
          maxConcurrency={4}
        >
          Find what breaks the rules in {root}.
        </ScanFixVerify>
      </Sequence>
    </Workflow>
  );
});

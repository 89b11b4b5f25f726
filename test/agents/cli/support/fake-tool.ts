import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FAKE_CLI = fileURLToPath(new URL("../../../fixtures/agents/fake-cli.mjs", import.meta.url));
const RECORDINGS = fileURLToPath(new URL("../../../fixtures/agents/recordings/", import.meta.url));

export type Step =
  | { out: string }
  | { err: string }
  | { lines: unknown[] }
  | { file: string }
  | { repeat: { line: string; times: number } }
  | { hang: true }
  | { expect: string }
  | { orphan: true }
  | { ignoreTerm: true }
  | { exit: number };

export interface Scenario {
  /** What `--version` prints. */
  version?: string;
  versionExit?: number;
  /** Plays for arguments that match the pattern, instead of `steps`; such calls are not recorded. */
  commands?: Record<string, Step[]>;
  steps: Step[];
  /** For the first, second … call, the last from then on; takes the place of `steps`. */
  series?: Step[][];
  /** Whether the tool starts before it has read all of its input. */
  ignoreStdin?: boolean;
}

/** How the tool was called. */
export interface ToolCallRecord {
  name: string;
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  stdin: string;
}

/** A command on a PATH of its own that plays scenarios. */
export interface FakeTool {
  /** For an agent's `env`: PATH with the tool on it, and a home folder that is empty. */
  readonly env: { PATH: string; HOME: string };
  readonly home: string;
  /** Exists and is empty. */
  readonly cwd: string;
  plays(scenario: Scenario | Step[]): void;
  calls(): ToolCallRecord[];
  lastCall(): ToolCallRecord;
  remove(): void;
}

export function createFakeTool(command: string): FakeTool {
  const folder = mkdtempSync(join(tmpdir(), "treadle-fake-tool-"));
  const [bin, home, cwd] = ["bin", "home", "work"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [bin, home, cwd]) mkdirSync(path);
  const script = join(bin, command);
  // What every agent is asked before its first call is answered by the shell, which starts faster.
  writeFileSync(
    script,
    `#!/bin/sh
if [ "$*" = "--version" ]; then . "${folder}/version.sh"; fi
exec "${process.execPath}" "${FAKE_CLI}" "${command}" "${folder}" "$@"
`,
  );
  chmodSync(script, 0o755);
  const calls = () => {
    const path = join(folder, "calls.jsonl");
    const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
    return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as ToolCallRecord);
  };
  return {
    env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: home },
    home,
    cwd,
    plays(scenario) {
      const full = Array.isArray(scenario) ? { steps: scenario } : scenario;
      writeFileSync(join(folder, "scenario.json"), JSON.stringify(full));
      const { version = "1.2.3", versionExit = 0 } = full;
      writeFileSync(
        join(folder, "version.sh"),
        `printf '%s\\n' '${version.replaceAll("'", "'\\''")}'\nexit ${versionExit}\n`,
      );
    },
    calls,
    lastCall() {
      const last = calls().at(-1);
      if (last === undefined) throw new Error(`${command} has not been called`);
      return last;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What a real tool once printed. */
export function recording(name: string): Step {
  return { file: join(RECORDINGS, name) };
}

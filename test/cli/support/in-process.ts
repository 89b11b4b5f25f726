// It starts its processes in the folder that it was loaded in: not one that goes with its test.
import "esbuild";
import { runCommandLine } from "../../../src/cli/program.js";
import { chooseDatabase } from "../../../src/store/chosen-database.js";
import { memoryTerminal } from "./terminal.js";

const OUTSIDE = process.cwd();
let calls = 0;

/** Runs one command line in this process as one in a folder would: relative paths lead to the folder. */
export async function callIn(cwd: string, argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const terminal = memoryTerminal({ cwd, environment });
  const { exitCode } = process;
  calls += 1;
  process.chdir(cwd);
  chooseDatabase(undefined);
  try {
    const code = await runCommandLine(argv, terminal);
    return { code, stdout: terminal.outEnd.text, stderr: terminal.errEnd.text };
  } finally {
    calls -= 1;
    if (calls === 0) process.chdir(OUTSIDE);
    chooseDatabase(undefined);
    process.exitCode = exitCode;
  }
}

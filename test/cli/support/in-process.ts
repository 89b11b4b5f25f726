import { runCommandLine } from "../../../src/cli/program.js";
import { memoryTerminal } from "./terminal.js";

/** Runs one command line in this process, in a folder. */
export async function callIn(cwd: string, argv: readonly string[]) {
  const terminal = memoryTerminal({ cwd });
  const code = await runCommandLine(argv, terminal);
  return { code, stdout: terminal.outEnd.text, stderr: terminal.errEnd.text };
}

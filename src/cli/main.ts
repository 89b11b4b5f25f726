#!/usr/bin/env node
import { captureConsole } from "./output/console-capture.js";
import { runCommandLine } from "./program.js";
import { flushSpans } from "../tracing/tracer.js";
import { processTerminal } from "./terminal.js";

const terminal = processTerminal();
// Workflow files may print while they load and run; stdout is for results.
captureConsole((text) => terminal.err.write(text));
const code = await runCommandLine(process.argv.slice(2), terminal);
await flushSpans();
await Promise.all([terminal.out.flush(), terminal.err.flush()]);
// A workflow may hold the process with timers or connections of its own; the command is done.
process.exit(code);

import { type AgentTool, builtinTool } from "./agent-tool.js";
import { type BashInput, bashDefinition } from "./builtin/bash.js";
import { type EditInput, editDefinition } from "./builtin/edit.js";
import { type GrepInput, grepDefinition } from "./builtin/grep.js";
import { type ReadInput, readDefinition } from "./builtin/read.js";
import { type WriteInput, writeDefinition } from "./builtin/write.js";
import { createToolContext, ToolContext, type ToolContextOptions } from "./tool-context.js";

/** A type alias, because the SDK's `ToolSet` has an index signature and interfaces do not match one. */
export type BuiltinTools = {
  read: AgentTool<ReadInput, string>;
  write: AgentTool<WriteInput, string>;
  edit: AgentTool<EditInput, string>;
  grep: AgentTool<GrepInput, string>;
  bash: AgentTool<BashInput, string>;
};

type Context = ToolContext | ToolContextOptions;

/** The five built-in tools, bound to one context for good. */
export function createTools(context: Context = {}): BuiltinTools {
  const bound = asContext(context);
  return {
    read: builtinTool(readDefinition, bound),
    write: builtinTool(writeDefinition, bound),
    edit: builtinTool(editDefinition, bound),
    grep: builtinTool(grepDefinition, bound),
    bash: builtinTool(bashDefinition, bound),
  };
}

/** `read`, bound to a context for good. */
export const createReadTool = (context: Context = {}) => builtinTool(readDefinition, asContext(context));
/** `write`, bound to a context for good. */
export const createWriteTool = (context: Context = {}) => builtinTool(writeDefinition, asContext(context));
/** `edit`, bound to a context for good. */
export const createEditTool = (context: Context = {}) => builtinTool(editDefinition, asContext(context));
/** `grep`, bound to a context for good. */
export const createGrepTool = (context: Context = {}) => builtinTool(grepDefinition, asContext(context));
/** `bash`, bound to a context for good. */
export const createBashTool = (context: Context = {}) => builtinTool(bashDefinition, asContext(context));

/** Reads a text file. Bound to the context of the task that calls it, like the four below. */
export const read = builtinTool(readDefinition);
/** Writes a whole text file. */
export const write = builtinTool(writeDefinition);
/** Applies a unified diff to one file. */
export const edit = builtinTool(editDefinition);
/** Searches files for a regular expression. */
export const grep = builtinTool(grepDefinition);
/** Runs a command. */
export const bash = builtinTool(bashDefinition);

function asContext(context: Context): ToolContext {
  return context instanceof ToolContext ? context : createToolContext(context);
}

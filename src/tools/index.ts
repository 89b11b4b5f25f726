export type { AgentTool } from "./agent-tool.js";
export type { BashInput } from "./builtin/bash.js";
export type { EditInput } from "./builtin/edit.js";
export type { GrepInput } from "./builtin/grep.js";
export type { ReadInput } from "./builtin/read.js";
export type { WriteInput } from "./builtin/write.js";
export {
  type BuiltinTools,
  bash,
  createBashTool,
  createEditTool,
  createGrepTool,
  createReadTool,
  createTools,
  createWriteTool,
  edit,
  grep,
  read,
  write,
} from "./create-tools.js";
export type { ToolRevertContext } from "./agent-tool.js";
export { defineTool, type ToolDefinition, type ToolExecutionContext } from "./define-tool.js";
export { createHttpTool, type HttpToolOptions } from "./http/create-http-tool.js";
export type { HttpToolAuth, HttpToolInput, HttpToolOutput } from "./http/http-input.js";
export type { ToolCallOptions } from "./tool-call.js";
export {
  createToolContext,
  currentToolContext,
  runWithToolContext,
  type ToolCallReport,
  type ToolContext,
  type ToolContextOptions,
} from "./tool-context.js";

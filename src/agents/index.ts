// SDK agents: a model's API, called from this process.
export {
  AnthropicAgent,
  type AnthropicAgentOptions,
  ProviderAgentA,
} from "./sdk/anthropic-agent.js";
export { CompatAgent, type CompatAgentOptions } from "./sdk/compat-agent.js";
export { OpenAIAgent, type OpenAIAgentOptions, ProviderAgentB } from "./sdk/openai-agent.js";
export { SdkAgent, type SdkAgentResult } from "./sdk/sdk-agent.js";
export type { SdkAgentOptions, SdkModel } from "./sdk/sdk-options.js";
export type { SdkProvider } from "./sdk/sdk-provider.js";
export type { SchemaTraits } from "./sdk/schema-traits.js";
export { type AgentErrorContext, toAgentError } from "./sdk/agent-error.js";

// CLI agents: coding tools that are installed on this machine, run as child processes.
export {
  AmpAgent,
  type AmpAgentOptions,
  AntigravityAgent,
  type AntigravityAgentOptions,
  BaseCliAgent,
  type BaseCliAgentOptions,
  ClaudeCodeAgent,
  type ClaudeCodeAgentOptions,
  CliAgent1,
  CliAgent2,
  CliAgent3,
  CliAgent4,
  CliAgent5,
  CliAgent6,
  CliAgent7,
  CliAgent8,
  CliAgent9,
  CliAgent10,
  type CliAgentResult,
  CodexAgent,
  type CodexAgentOptions,
  ForgeAgent,
  type ForgeAgentOptions,
  GeminiAgent,
  type GeminiAgentOptions,
  KimiAgent,
  type KimiAgentOptions,
  OpenCodeAgent,
  type OpenCodeAgentOptions,
  PiAgent,
  type PiAgentOptions,
  type PiExtensionUiRequest,
  type PiExtensionUiResponse,
  VibeAgent,
  type VibeAgentOptions,
} from "./cli/index.js";

// Facts about the CLI agents and this machine.
export {
  type AgentDiagnosis,
  CLI_AGENTS,
  CLI_CAPABILITIES,
  type CliAgentEntry,
  hashCapabilityRegistry,
} from "./cli/index.js";

// Writing another CLI agent on BaseCliAgent.
export type { CliCall, CliEngine, CliParser, Invocation, JsonLine, ParserTarget } from "./cli/index.js";

// The demo agent: no model, no network, no key.
export {
  createDemoAgent,
  DemoAgent,
  type DemoAgentOptions,
  type DemoAnswer,
  type DemoRequest,
  type DemoResult,
} from "./demo/demo-agent.js";

// Structured output from any agent.
export { extractJson } from "./structured/extract-json.js";
export {
  type AgentCall,
  generateStructured,
  type GenerateStructuredOptions,
  type StructuredResult,
} from "./structured/generate-structured.js";
export {
  type AgentResultReading,
  readAgentResult,
  type StructuredMode,
} from "./structured/read-agent-result.js";

// Parts of agents.
export type {
  AgentActionKind,
  AgentCapabilityRegistry,
  AgentCliEvent,
  AgentEngine,
  AgentGenerateOptions,
  AgentInput,
  AgentLike,
  AgentTaskContext,
  ResumeCommand,
  TokenUsage,
  ToolLoopAgentLike,
} from "../model/agent.js";

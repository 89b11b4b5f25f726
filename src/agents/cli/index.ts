export { hashCapabilityRegistry } from "../capabilities/hash-capability-registry.js";
export { CLI_CAPABILITIES } from "../capabilities/registries.js";
export { BaseCliAgent } from "./base-cli-agent.js";
export type { AgentDiagnosis } from "./diagnose.js";
export { CLI_AGENTS, type CliAgentEntry } from "./cli-agents.js";
export type { CliCall, CliEngine, CliParser, Invocation, JsonLine, ParserTarget } from "./engine.js";
export { AmpAgent, AmpAgent as CliAgent8, type AmpAgentOptions } from "./engines/amp.js";
export {
  AntigravityAgent,
  AntigravityAgent as CliAgent3,
  type AntigravityAgentOptions,
} from "./engines/antigravity.js";
export {
  ClaudeCodeAgent,
  ClaudeCodeAgent as CliAgent1,
  type ClaudeCodeAgentOptions,
} from "./engines/claude-code.js";
export { CodexAgent, CodexAgent as CliAgent2 } from "./engines/codex.js";
export type { CodexAgentOptions } from "./engines/codex-options.js";
export { ForgeAgent, ForgeAgent as CliAgent7, type ForgeAgentOptions } from "./engines/forge.js";
export { GeminiAgent, GeminiAgent as CliAgent4, type GeminiAgentOptions } from "./engines/gemini.js";
export { KimiAgent, KimiAgent as CliAgent6 } from "./engines/kimi.js";
export type { KimiAgentOptions } from "./engines/kimi-options.js";
export { OpenCodeAgent, OpenCodeAgent as CliAgent10, type OpenCodeAgentOptions } from "./engines/opencode.js";
export { PiAgent, PiAgent as CliAgent5 } from "./engines/pi.js";
export type {
  PiAgentOptions,
  PiExtensionUiRequest,
  PiExtensionUiResponse,
} from "./engines/pi-options.js";
export { VibeAgent, VibeAgent as CliAgent9 } from "./engines/vibe.js";
export type { VibeAgentOptions } from "./engines/vibe-options.js";
export type { BaseCliAgentOptions } from "./options.js";
export type { CliAgentResult } from "./run-call.js";

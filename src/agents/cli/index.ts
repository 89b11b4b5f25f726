export { hashCapabilityRegistry } from "../capabilities/hash-capability-registry.js";
export { CLI_CAPABILITIES } from "../capabilities/registries.js";
export { BaseCliAgent, type ResumeCommand } from "./base-cli-agent.js";
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
export { CodexAgent, CodexAgent as CliAgent2, type CodexAgentOptions } from "./engines/codex.js";
export { ForgeAgent, ForgeAgent as CliAgent7, type ForgeAgentOptions } from "./engines/forge.js";
export { GeminiAgent, GeminiAgent as CliAgent4, type GeminiAgentOptions } from "./engines/gemini.js";
export { KimiAgent, KimiAgent as CliAgent6, type KimiAgentOptions } from "./engines/kimi.js";
export { OpenCodeAgent, OpenCodeAgent as CliAgent10, type OpenCodeAgentOptions } from "./engines/opencode.js";
export {
  PiAgent,
  PiAgent as CliAgent5,
  type PiAgentOptions,
  type PiExtensionUiRequest,
  type PiExtensionUiResponse,
} from "./engines/pi.js";
export { VibeAgent, VibeAgent as CliAgent9, type VibeAgentOptions } from "./engines/vibe.js";
export type { BaseCliAgentOptions } from "./options.js";
export type { CliAgentResult } from "./run-call.js";

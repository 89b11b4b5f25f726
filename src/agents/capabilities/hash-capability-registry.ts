import type { AgentCapabilityRegistry } from "../../model/agent.js";
import { sha256Hex } from "../../util/hash.js";
import { stableJson } from "../../util/stable-json.js";

/**
 * SHA-256 (hex) of what an agent can do. Order and repetition in lists of ids do not matter; an agent
 * without a registry hashes like one that can do nothing.
 */
export function hashCapabilityRegistry(registry: AgentCapabilityRegistry | null | undefined): string {
  return sha256Hex(stableJson(normalized(registry)));
}

function normalized(registry: AgentCapabilityRegistry | null | undefined) {
  const tools = Object.entries(registry?.runtimeTools ?? {}).map(([name, tool]) => [
    name.trim(),
    { description: tool.description?.trim() ?? null, source: tool.source ?? null },
  ]);
  return {
    version: registry?.version ?? 1,
    engine: registry?.engine ?? null,
    runtimeTools: Object.fromEntries(tools),
    mcp: {
      bootstrap: registry?.mcp.bootstrap ?? "unsupported",
      supportsProjectScope: registry?.mcp.supportsProjectScope ?? false,
      supportsUserScope: registry?.mcp.supportsUserScope ?? false,
    },
    skills: {
      supportsSkills: registry?.skills.supportsSkills ?? false,
      installMode: registry?.skills.installMode ?? null,
      serviceSkillIds: idList(registry?.skills.serviceSkillIds),
    },
    humanInteraction: {
      supportsUiRequests: registry?.humanInteraction.supportsUiRequests ?? false,
      methods: idList(registry?.humanInteraction.methods),
    },
    builtIns: idList(registry?.builtIns),
  };
}

function idList(ids: readonly string[] = []): string[] {
  return [...new Set(ids.map((id) => id.trim()).filter((id) => id !== ""))].sort();
}

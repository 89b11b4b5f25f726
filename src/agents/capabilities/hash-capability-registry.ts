import type { AgentCapabilityRegistry } from "../../model/agent.js";
import { refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { sha256Hex } from "../../util/hash.js";
import { stableJson } from "../../util/stable-json.js";

/**
 * SHA-256 (hex) of what an agent can do. Order and repetition in lists of ids do not matter; a part that is
 * missing, and a registry that is, hash like that of an agent that can do nothing.
 * @throws INVALID_INPUT for what is no registry
 */
export function hashCapabilityRegistry(registry: AgentCapabilityRegistry | null | undefined): string {
  return sha256Hex(stableJson(normalized(part("registry", registry))));
}

function normalized(registry: Partial<AgentCapabilityRegistry>) {
  const mcp = part("registry.mcp", registry.mcp);
  const skills = part("registry.skills", registry.skills);
  const people = part("registry.humanInteraction", registry.humanInteraction);
  const tools = Object.entries(part("registry.runtimeTools", registry.runtimeTools)).map(([name, tool]) => {
    const { description, source } = part(`registry.runtimeTools.${name}`, tool);
    return [name.trim(), { description: description?.trim() ?? null, source: source ?? null }];
  });
  return {
    version: registry.version ?? 1,
    engine: registry.engine ?? null,
    runtimeTools: Object.fromEntries(tools),
    mcp: {
      bootstrap: mcp.bootstrap ?? "unsupported",
      supportsProjectScope: mcp.supportsProjectScope ?? false,
      supportsUserScope: mcp.supportsUserScope ?? false,
    },
    skills: {
      supportsSkills: skills.supportsSkills ?? false,
      installMode: skills.installMode ?? null,
      serviceSkillIds: idList("registry.skills.serviceSkillIds", skills.serviceSkillIds),
    },
    humanInteraction: {
      supportsUiRequests: people.supportsUiRequests ?? false,
      methods: idList("registry.humanInteraction.methods", people.methods),
    },
    builtIns: idList("registry.builtIns", registry.builtIns),
  };
}

/** Types hold a registry that is written in JavaScript to nothing. */
function part<T extends object>(at: string, value: T | null | undefined): Partial<T> {
  if (value === null || value === undefined) return {};
  return rules.record.fits(value) ? value : refuseOption(at, "an object", value);
}

function idList(at: string, ids: readonly string[] | null | undefined): string[] {
  if (ids === null || ids === undefined) return [];
  if (!rules.texts.fits(ids)) refuseOption(at, "a list of texts", ids);
  return [...new Set(ids.map((id) => id.trim()).filter((id) => id !== ""))].sort();
}

import { CLI_AGENTS, CLI_CAPABILITIES } from "../../agents/cli/index.js";
import type { AgentEngine } from "../../model/agent.js";

/** The answer of an agent's tool on this machine. */
export interface AgentCheck {
  engine: AgentEngine;
  className: string;
  command: string;
  isInstalled: boolean;
  version?: string;
  checkedAgainst: string;
  auth: "ok" | "missing" | "unknown";
  /** The first reason why it cannot work. */
  problem?: { code: string; summary: string };
  /** Abilities, as far as they are known without starting it. */
  capabilities: { builtIns: string[]; mcp: string; skills: boolean };
}

/** Asks each tool for its version and, where that is cheap, whether a user is signed in. No token is spent. */
export function checkAgents(engines: readonly AgentEngine[]): Promise<AgentCheck[]> {
  return Promise.all(
    engines.map(async (engine) => {
      const { className, create } = CLI_AGENTS[engine];
      const { command, path, version, checkedAgainst, auth, problem } = await create().diagnose();
      return {
        engine,
        className,
        command,
        isInstalled: path !== undefined,
        checkedAgainst,
        auth,
        capabilities: abilitiesOf(engine),
        ...(version !== undefined && { version }),
        ...(problem !== undefined && { problem: { code: problem.code, summary: problem.summary } }),
      };
    }),
  );
}

function abilitiesOf(engine: AgentEngine): AgentCheck["capabilities"] {
  const { builtIns, mcp, skills } = CLI_CAPABILITIES[engine];
  return { builtIns: [...builtIns], mcp: mcp.bootstrap, skills: skills.supportsSkills };
}

import type { AgentCapabilityRegistry, AgentEngine } from "../../model/agent.js";

/** Capabilities of the ten command-line tools, as of the versions named by their engines. */
export const CLI_CAPABILITIES = {
  "claude-code": registry("claude-code", {
    mcp: { bootstrap: "inline-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "files" },
    builtIns: ["Bash", "Edit", "NotebookEdit", "Read", "Skill", "Task", "WebFetch", "WebSearch", "Write"],
  }),
  codex: registry("codex", {
    mcp: { bootstrap: "inline-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "files" },
    builtIns: ["apply_patch", "exec_command", "update_plan", "view_image", "web_search"],
  }),
  antigravity: registry("antigravity", {
    mcp: { bootstrap: "project-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "plugin" },
    builtIns: ["browser", "read_url_content", "run_command", "search_web", "view_file", "write_to_file"],
  }),
  gemini: registry("gemini", {
    mcp: { bootstrap: "allow-list", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "files" },
    builtIns: [
      "glob",
      "google_web_search",
      "grep_search",
      "list_directory",
      "read_file",
      "replace",
      "run_shell_command",
      "web_fetch",
      "write_file",
      "write_todos",
    ],
  }),
  pi: registry("pi", {
    mcp: { bootstrap: "unsupported", supportsProjectScope: false, supportsUserScope: false },
    skills: { supportsSkills: true, installMode: "dir" },
    humanInteraction: {
      supportsUiRequests: true,
      methods: ["confirm", "editor", "input", "notify", "select", "setStatus", "setTitle", "setWidget"],
    },
    builtIns: ["bash", "edit", "find", "grep", "ls", "read", "write"],
  }),
  kimi: registry("kimi", {
    mcp: { bootstrap: "project-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "dir" },
    builtIns: [
      "Agent",
      "AgentSwarm",
      "AskUserQuestion",
      "Bash",
      "CreateGoal",
      "CronCreate",
      "CronDelete",
      "CronList",
      "Edit",
      "EnterPlanMode",
      "ExitPlanMode",
      "FetchURL",
      "GetGoal",
      "Glob",
      "Grep",
      "Read",
      "ReadMediaFile",
      "SetGoalBudget",
      "Skill",
      "TaskList",
      "TaskOutput",
      "TaskStop",
      "TodoList",
      "UpdateGoal",
      "WaitFor",
      "Write",
    ],
  }),
  forge: registry("forge", {
    mcp: { bootstrap: "project-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "files" },
    builtIns: [
      "fetch",
      "fs_search",
      "multi_patch",
      "patch",
      "read",
      "remove",
      "sem_search",
      "shell",
      "skill",
      "task",
      "todo_read",
      "todo_write",
      "undo",
      "write",
    ],
  }),
  amp: registry("amp", {
    mcp: { bootstrap: "inline-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "files" },
    builtIns: ["Bash", "Grep", "Read", "Task", "create_file", "edit_file", "read_web_page", "web_search"],
  }),
  vibe: registry("vibe", {
    mcp: { bootstrap: "project-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "files" },
    builtIns: [
      "bash",
      "edit",
      "grep",
      "read",
      "skill",
      "task",
      "todo",
      "webfetch",
      "websearch",
      "write_file",
    ],
  }),
  opencode: registry("opencode", {
    mcp: { bootstrap: "project-config", supportsProjectScope: true, supportsUserScope: true },
    skills: { supportsSkills: true, installMode: "files" },
    builtIns: [
      "bash",
      "edit",
      "glob",
      "grep",
      "list",
      "read",
      "skill",
      "task",
      "todowrite",
      "webfetch",
      "write",
    ],
  }),
} as const satisfies Record<AgentEngine, AgentCapabilityRegistry>;

interface Abilities {
  mcp: AgentCapabilityRegistry["mcp"];
  skills: Omit<AgentCapabilityRegistry["skills"], "serviceSkillIds">;
  humanInteraction?: AgentCapabilityRegistry["humanInteraction"];
  builtIns: string[];
}

function registry(engine: AgentEngine, abilities: Abilities): AgentCapabilityRegistry {
  return {
    version: 1,
    engine,
    runtimeTools: {},
    mcp: abilities.mcp,
    skills: { ...abilities.skills, serviceSkillIds: [] },
    humanInteraction: abilities.humanInteraction ?? { supportsUiRequests: false, methods: [] },
    builtIns: abilities.builtIns,
  };
}

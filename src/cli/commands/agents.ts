import type { CliGroup } from "../command.js";

export const agents: CliGroup = {
  commands: {
    list: {
      summary: "list the agents that are command-line tools",
      load: async () => (await import("./agents-list.js")).agentsList,
    },
    doctor: {
      summary: "check which of these agents work on this machine",
      load: async () => (await import("./agents-doctor.js")).agentsDoctor,
    },
    capabilities: {
      summary: "print the capabilities of each, with a fingerprint",
      load: async () => (await import("./agents-capabilities.js")).agentsCapabilities,
    },
  },
};

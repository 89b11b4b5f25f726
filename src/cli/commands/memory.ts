import type { CliGroup } from "../command.js";

export const memory: CliGroup = {
  commands: {
    list: {
      summary: "list facts",
      load: async () => (await import("./memory-list.js")).memoryList,
    },
    get: {
      summary: "print one fact",
      load: async () => (await import("./memory-get.js")).memoryGet,
    },
    set: {
      summary: "write a fact",
      load: async () => (await import("./memory-set.js")).memorySet,
    },
    delete: {
      summary: "delete a fact",
      load: async () => (await import("./memory-delete.js")).memoryDelete,
    },
    threads: {
      summary: "list conversations, or print one",
      load: async () => (await import("./memory-threads.js")).memoryThreads,
    },
  },
};

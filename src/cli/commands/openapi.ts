import type { CliGroup } from "../command.js";

export const openapi: CliGroup = {
  commands: {
    list: {
      summary: "list the operations of a description, and the tools they become",
      load: async () => (await import("./openapi-list.js")).openapiList,
    },
  },
};

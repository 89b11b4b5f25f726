import type { Migration } from "./dialect.js";

/** Tokens that the scorers of a task spend stand beside the task's own. */
export const scorerUsage: Migration = {
  version: 10,
  name: "scorer usage",
  statements: () => ["ALTER TABLE _service_usage ADD COLUMN scorer_id TEXT"],
};

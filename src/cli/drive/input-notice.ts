import type { ServiceWorkflow } from "../../model/workflow.js";
import { ignoredInputRules } from "../../store/index.js";

/** One line that says which rules of the input schema do not act; undefined when all of it does. */
export function inputNotice(workflow: ServiceWorkflow): string | undefined {
  const rules = ignoredInputRules(workflow.db);
  if (rules.length === 0) return undefined;
  const listed = rules.map(({ path, rule }) => `${path === "" ? "the whole" : path} (${rule})`);
  return `input is stored as given: these rules of its schema do not act: ${listed.join(", ")}; coalesce in the workflow instead`;
}

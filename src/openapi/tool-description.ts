import type { OperationPlan } from "./operation-plan.js";
import type { OpenApiOperationCuration, OpenApiResponseExample } from "./options.js";
import { withinLength } from "./schema/describe.js";
import { asText } from "./spec.js";

/** Longest description taken from a document; some hold whole manuals. */
const LONGEST_DESCRIPTION = 1_024;

/**
 * A tool's description for the model: the curated description, else the summary,
 * else the description, else method and path; then the parts that the tool cannot send,
 * then examples of responses.
 */
export function toolDescription(plan: OperationPlan, curation: OpenApiOperationCuration | undefined): string {
  const { operation, method, path } = plan.operation;
  const fromDocument =
    asText(operation["summary"]) ?? asText(operation["description"]) ?? `${method} ${path}`;
  const text = curation?.description ?? withinLength(fromDocument, LONGEST_DESCRIPTION);
  const notes = plan.notes.map((note) => `Note: ${note}`);
  return [text, ...notes, ...exampleText(curation?.responseExamples)].join("\n\n");
}

function exampleText(examples: readonly OpenApiResponseExample[] = []): string[] {
  if (examples.length === 0) return [];
  const lines = examples.map(({ status, description, value }) => {
    const label = [status, description].filter((part) => part !== undefined).join(" ");
    return `- ${label === "" ? "" : `${label}: `}${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  return [`Response examples:\n${lines.join("\n")}`];
}

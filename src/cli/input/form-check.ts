import { ServiceError } from "../../errors/service-error.js";
import { DOCUMENT_FORMATS, type FormOptions } from "../output/document-form.js";

/** How a command answers when nothing is said. */
export const TEXT_FORMATS = ["table"] as const;

/**
 * Options of every command that cannot hold, alone or together: none of them is left out in silence.
 * @throws CLI_USAGE
 */
export function checkForm(
  options: FormOptions & { raw?: boolean; llms?: boolean },
  { formats = TEXT_FORMATS }: { formats?: readonly string[] | undefined },
): void {
  const { json, format, filterOutput, raw, llms } = options;
  const isDocument = DOCUMENT_FORMATS.some((candidate) => candidate === format);
  const text = format !== undefined && !isDocument;
  if (text && !formats.includes(format)) {
    const known = [...formats, ...DOCUMENT_FORMATS].join(", ");
    throw usage(`--format: expected one of ${known}, received ${JSON.stringify(format)}.`);
  }
  if (llms === true) throw usage("--llms stands alone: it is about all commands.");
  if (json === true && (text || format === "yaml"))
    throw usage(`--json and --format ${format} exclude each other.`);
  if (filterOutput !== undefined && text) {
    throw usage(`--filter-output chooses from a document; --format ${format} is none.`);
  }
  if (raw === true && (json === true || isDocument || filterOutput !== undefined)) {
    throw usage("--raw is for text: a document spells hidden characters, and means the same.");
  }
}

function usage(summary: string): ServiceError {
  return new ServiceError("CLI_USAGE", summary);
}

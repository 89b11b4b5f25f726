import { errorCodeEntry, errorFamilies } from "../../errors/codes.js";
import { docsUrlOf } from "../../errors/docs-url.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Report } from "../report.js";

/** One error code, or the list of all of them. */
export function errorHelp(code: string | undefined): Report {
  return code === undefined ? listCodes() : explainCode(code.toUpperCase());
}

function explainCode(code: string): Report {
  const entry = errorCodeEntry(code);
  if (entry === undefined) {
    throw new ServiceError(
      "CLI_USAGE",
      `There is no error code ${code}; \`treadle help errors\` lists them.`,
    );
  }
  const { when, next, retryable = true, httpStatus = 500 } = entry;
  const docsUrl = docsUrlOf(code);
  return {
    json: { code, when, next, retryable, httpStatus, docsUrl },
    text: (colors) =>
      [
        colors.bold(code),
        `  ${"when".padEnd(7)} ${when}`,
        `  ${"next".padEnd(7)} ${next}`,
        `  ${"retried".padEnd(7)} ${retryable ? "yes, within the task's retries" : "no"}`,
        `  ${"http".padEnd(7)} ${httpStatus}`,
        `  ${"docs".padEnd(7)} ${docsUrl}`,
      ].join("\n"),
  };
}

function listCodes(): Report {
  const families = Object.entries(errorFamilies).map(([family, codes]) => ({
    family,
    codes: Object.entries(codes).map(([code, { when }]) => ({ code, when })),
  }));
  return {
    json: { families },
    text: (colors) =>
      families
        .map(({ family, codes }) =>
          [colors.bold(family), ...codes.map(({ code, when }) => `  ${code}  ${colors.dim(when)}`)].join(
            "\n",
          ),
        )
        .join("\n\n"),
  };
}

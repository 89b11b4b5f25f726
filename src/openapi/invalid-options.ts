import { ServiceError } from "../errors/service-error.js";

/** The INVALID_INPUT error for options that cannot be used. `path` names the option; no message holds a value. */
export function invalidOptions(issues: readonly { path: string; message: string }[]): ServiceError {
  const [first] = issues;
  const where = first === undefined || first.path === "" ? "" : ` at \`${first.path}\``;
  const what = first?.message ?? "unknown problem";
  return new ServiceError(
    "INVALID_INPUT",
    `The options of the OpenAPI tools are not valid${where}: ${what}${what.endsWith("?") ? "" : "."}`,
    {
      details: { issues },
    },
  );
}

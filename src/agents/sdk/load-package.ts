import { ServiceError } from "../../errors/service-error.js";

/**
 * Handles the failed import of an optional package. It stands behind the import itself, `import(name).catch(…)`:
 * bundlers leave what they cannot find there to the moment at which it is needed.
 * @throws AGENT_CONFIG_INVALID naming the package when it is not installed
 */
export function packageMissing(name: string): (error: unknown) => never {
  return (error) => {
    if (!isMissing(error, name)) throw error;
    throw new ServiceError(
      "AGENT_CONFIG_INVALID",
      `The package "${name}" is not installed; the agent needs it to reach its provider. Run \`npm install ${name}\`.`,
      { details: { package: name } },
    );
  };
}

/** The package itself, not one of its dependencies: that would be a broken installation. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") && error.message.includes(`'${name}'`)
  );
}

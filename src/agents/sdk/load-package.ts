import { ServiceError } from "../../errors/service-error.js";

/**
 * Loads an optional package at the moment it is needed.
 * @throws AGENT_CONFIG_INVALID naming the package when it is not installed
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new ServiceError(
      "AGENT_CONFIG_INVALID",
      `The package "${name}" is not installed; the agent needs it to reach its provider. Run \`npm install ${name}\`.`,
      { details: { package: name } },
    );
  }
}

/** The package itself, not one of its dependencies: that would be a broken installation. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") && error.message.includes(`'${name}'`)
  );
}

import { withoutOwnAccess } from "../../process/own-access.js";

/** The environment of a tool: that of this process, then what the agent's options add. */
export function agentEnvironment(layers: {
  added: readonly (Readonly<Record<string, string>> | undefined)[];
  unset: readonly string[];
}): Record<string, string> {
  const env: Record<string, string> = { NO_COLOR: "1", ...withoutOwnAccess(process.env) };
  // Colour codes would stand in the middle of what is read by programs.
  delete env["FORCE_COLOR"];
  for (const name of layers.unset) delete env[name];
  return Object.assign(env, ...layers.added);
}

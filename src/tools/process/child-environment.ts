/** Variables of the engine that children may see: what programs need to work at all, and nothing that could be a secret. */
const PASSED_ON = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TERM",
  "TZ",
  "TMPDIR",
  "NVM_DIR",
  "JAVA_HOME",
];

/**
 * The environment of a tool's child: a short list of the engine's variables, then
 * `explicit`. Git never asks for a password. Without the network it refuses every
 * transport, also through aliases and scripts, so that the error is a clear one; a
 * command may undo that, and then finds that there is no network.
 */
export function childEnvironment(
  explicit: Readonly<Record<string, string>>,
  allowNetwork: boolean,
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && (PASSED_ON.includes(name) || name.startsWith("LC_")))
      environment[name] = value;
  }
  return {
    ...environment,
    GIT_TERMINAL_PROMPT: "0",
    ...explicit,
    ...(!allowNetwork && { GIT_ALLOW_PROTOCOL: "none" }),
  };
}

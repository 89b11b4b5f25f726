/** The environment of a tool: that of this process, then what the agent's options add. */
export function agentEnvironment(layers: {
  added: readonly (Readonly<Record<string, string>> | undefined)[];
  unset: readonly string[];
}): Record<string, string> {
  const env: Record<string, string> = { NO_COLOR: "1" };
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) env[name] = value;
  }
  // Whoever works for a task has no business in the workspace's database.
  delete env["SERVICE_DB"];
  // Colour codes would stand in the middle of what is read by programs.
  delete env["FORCE_COLOR"];
  for (const name of layers.unset) delete env[name];
  return Object.assign(env, ...layers.added);
}

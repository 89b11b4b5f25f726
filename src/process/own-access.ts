/** Variables that lead to this program's database and hosts, and that grant access there. */
const OWN_ACCESS = [
  "SERVICE_DB",
  "SERVICE_DATABASE_URL",
  "SERVICE_API_KEY",
  "SERVICE_GATEWAY",
  "SERVICE_GATEWAY_TOKEN",
];

/** Variables for what works for a task: it has no business in the database, and does not decide in the place of people. */
export function withoutOwnAccess(variables: NodeJS.ProcessEnv): Record<string, string> {
  const rest: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && !OWN_ACCESS.includes(name)) rest[name] = value;
  }
  return rest;
}

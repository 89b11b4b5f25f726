/** Secrets among inherited variables, known by name only. */
export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /(?:key|token|secret|passw(?:or)?d|credentials?)$/i.test(name) && value !== undefined && value.length >= 8
      ? [value]
      : [],
  );
}

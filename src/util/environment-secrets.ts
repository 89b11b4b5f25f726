/** Shorter values are words of ordinary sentences. */
const SHORTEST = 8;
const TELLING_NAME = /(?:key|token|secret|passw(?:or)?d|credentials?)$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]{0,40}:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/i;

/** Secrets among inherited variables: those with a telling name, and the passwords of addresses. */
export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .flatMap(([name, value = ""]) => [...(TELLING_NAME.test(name) ? [value] : []), ...passwordOf(value)])
    .filter(({ length }) => length >= SHORTEST);
}

/** One that is a plain word, such as `postgres`, would blot out what has nothing to do with it. */
function passwordOf(value: string): string[] {
  const password = ADDRESS.exec(value)?.[1] ?? "";
  if (/^[a-z]*$/i.test(password)) return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

import { secretsInAddresses } from "./address-secrets.js";
import { isSecretName } from "./secret-names.js";

/** Where the shell stands and stood: `pwd` says a password everywhere else. */
const FOLDERS = new Set(["PWD", "OLDPWD"]);

/** Shorter values are words of ordinary sentences. */
const SHORTEST = 8;

/** Secrets among inherited variables: those with a telling name, and credentials in an address. */
export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .flatMap(([name, value = ""]) => {
      const { passwords, parameters } = secretsInAddresses(value);
      return [
        ...(isSecretName(name) && !FOLDERS.has(name) ? [value] : []),
        ...passwords.filter(isNoWord),
        ...parameters,
      ];
    })
    .filter(({ length }) => length >= SHORTEST);
}

/** One that is a plain word, such as `postgres`, would blot out what has nothing to do with it. */
function isNoWord(text: string): boolean {
  return !/^[a-z]*$/i.test(text);
}

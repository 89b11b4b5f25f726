/** Parts of a word that say it alone, wherever they stand in it. */
const TELLING_PART = /token|secret|passw|passphrase|credential|cookie|bearer|apikey/;
/** Whole words that say it. */
const TELLING_WORD = /^(?:o?auth[nz]?|authori[sz]ation|authenticat\w*|dsn|jwt|pat|pwd|creds?|private)$/;
/** Ends of words, as in `APIKEY` and `DBPASS`. */
const TELLING_END = /(?:key|pass)s?$/;
const ORDINARY_END = /(?:monkey|turkey|donkey|whiskey|hockey|jockey|bypass|compass|trespass|surpass)s?$/;

/** A variable named so says where a secret is, or its name. */
const PLACE = new Set(["file", "path", "dir", "folder", "sock", "socket", "name"]);

/**
 * Whether what has this name is secret whatever it looks like: of variables, options, headers and parameters, in every
 * spelling, numbered or not (`API_KEY_2`, `sessionCookie`, `X-Api-Key`, `SENTRY_DSN`, `SERVICE_AUTH`). The one place
 * that says so.
 */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (PLACE.has(words.at(-1) ?? "")) return false;
  return words.some(
    (word) =>
      TELLING_PART.test(word) ||
      TELLING_WORD.test(word) ||
      (TELLING_END.test(word) && !ORDINARY_END.test(word)),
  );
}

/** In lower case, without numbers at their ends. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");
}

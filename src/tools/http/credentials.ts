import { carriesCredential } from "../../network/credential-header.js";
import { createRedactor, type Redactor } from "../../util/redactor.js";
import { decodedBasic } from "../../util/secret-spellings.js";

/** Shorter values are too common to cut out of a text. */
const SHORTEST_SECRET = 8;

/**
 * A service that repeats what it was sent must not hand the operator's credentials to the model and the
 * log: those among the default headers, of `Bearer abc` also `abc`, of Basic credentials also what is in them.
 */
export function credentialRedactor(headers: Readonly<Record<string, string>>): Redactor {
  const values = Object.entries(headers)
    .filter(carriesCredential)
    .flatMap(([, value]) => [value, ...value.split(/[\s;,=]+/), ...decodedBasic(value)]);
  return createRedactor(values.filter((value) => value.length >= SHORTEST_SECRET));
}

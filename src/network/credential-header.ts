import { isSecretName } from "../util/secret-names.js";

/** A value that looks like one whatever its header is called: a scheme with its token, or a long word of chance. */
const LOOKS_SECRET = /^(?:bearer|basic|token|digest)\s|^(?=.*\d)[\w+/=.~-]{20,}$/i;

/** Whether a header must go only to the host that it is for. */
export function carriesCredential([name, value]: readonly [name: string, value: string]): boolean {
  return isSecretName(name) || LOOKS_SECRET.test(value);
}

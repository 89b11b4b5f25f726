/** Shapes of credentials that providers echo in their messages. */
const CREDENTIALS = [
  /(?<![\w-])(?:sk|pk|rk|xai|gsk|AIza)[-_][A-Za-z0-9_*.-]{6,}/g,
  // Names of people's own begin like this too: only what no name looks like.
  /(?<![\w-])key[-_](?=[A-Za-z0-9_*.-]{0,200}[0-9*])[A-Za-z0-9_*.-]{16,}/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]+/gi,
  /\bx-api-key\s*[:=]\s*\S+/gi,
];

/** `text` without the given secrets and without anything that looks like a credential. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    // Short keys such as `none` are placeholders of local servers, and words of ordinary sentences.
    if (secret.length >= 8) clean = clean.replaceAll(secret, "[redacted]");
  }
  for (const pattern of CREDENTIALS) clean = clean.replace(pattern, "[redacted]");
  return clean;
}

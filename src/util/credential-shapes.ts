/** Stands for what was taken out. */
const GONE = "[redacted]";

/**
 * Shapes of credentials, as their issuers document them: a prefix that nothing else has, and a length. Each pattern
 * takes one pass, however long the text is.
 */
const CREDENTIALS = [
  // OpenAI, Anthropic, Stripe, xAI, Groq and others. Names of files begin like this too: only what no name looks like.
  /(?<![\w-])(?:sk|pk|rk|xai|gsk|key|whsec|pplx|tvly)[-_](?=[A-Za-z0-9_*.-]{0,200}[0-9*]|[a-z]{12})[A-Za-z0-9_*.-]{6,}/g,
  // Google, and its OAuth.
  /AIza[\w*-]{20,}|(?<!\w)ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}/g,
  // GitHub, GitLab, Slack, npm, Hugging Face, PyPI, Docker, SendGrid, Shopify, DigitalOcean, Linear, Atlassian.
  /(?<![A-Za-z0-9])gh[opusr]_[A-Za-z0-9*]{16,}|github_pat_[\w*]{16,}/g,
  /(?<![A-Za-z0-9])gl(?:pat|ptt|dt|rt|rtr|cbt|oas|soat|ft|imt|agent|ffct)-[\w*.-]{16,}/g,
  /(?<![A-Za-z0-9])xox[a-z]-[A-Za-z0-9*-]{10,}|(?<![A-Za-z0-9])xapp-\d-[A-Za-z0-9*-]{10,}/g,
  /(?<![A-Za-z0-9])(?:npm|hf|shp(?:at|ca|pa|ss)|do[opr]_v1|lin_api|r8)_[A-Za-z0-9*]{20,}/g,
  /(?<!\w)pypi-[\w-]{20,}|dckr_pat_[\w-]{20,}|(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}|ATATT3[\w=-]{20,}/g,
  // AWS: its ids, which name an account; the key itself has no shape.
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // JSON Web Tokens: header and claims begin with `{"`.
  /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]+/gi,
  /\bx-api-key\s*[:=]\s*\S+/gi,
];

/** Passwords and telling parameters of addresses; what stands around them stays. */
const IN_ADDRESSES = [
  /(\b[a-z][a-z0-9+.-]{0,40}:\/\/[^\s/?#@:]*:)[^\s/?#]+(?=@)/gi,
  /([?&](?:api[-_]?key|key|(?:access|auth|refresh|id)[-_]?token|token|sig|signature|x-(?:amz|goog)-signature|secret|client[-_]secret|password|passwd|pwd)=)[^&#\s"'<>]+/gi,
];

/** `text` without anything that looks like a credential. */
export function redactShapes(text: string): string {
  let clean = text;
  for (const pattern of CREDENTIALS) clean = clean.replace(pattern, GONE);
  for (const pattern of IN_ADDRESSES) clean = clean.replace(pattern, `$1${GONE}`);
  return clean;
}

/*
 * Addresses of model servers are passed around with and without their version: tools of one kind add `/v1`
 * themselves, those of the other expect it. Both forms mean the same server here.
 */

/** For chat-completions servers: an address without a path gets `/v1`; any path is taken as it stands. */
export function chatBaseURL(baseURL: string): string {
  return URL.canParse(baseURL) && new URL(baseURL).pathname === "/" ? withVersion(baseURL) : baseURL;
}

/** For servers of the Messages API, which is always below `/v1`. */
export function messagesBaseURL(baseURL: string): string {
  return /\/v\d+\/?$/.test(baseURL) ? baseURL : withVersion(baseURL);
}

function withVersion(baseURL: string): string {
  return `${baseURL.replace(/\/+$/, "")}/v1`;
}

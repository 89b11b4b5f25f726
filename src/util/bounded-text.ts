/** The first `longest` UTF-16 units of a text and a sign that it is cut; no character is cut in half. */
export function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** The longest prefix of `text` that fits into `maxBytes` of UTF-8 without cutting a character. */
export function truncateUtf8(text: string, maxBytes: number): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= maxBytes) return { text, truncated: false };
  let end = maxBytes;
  // 10xxxxxx is a continuation byte: step back to the start of the character that was cut.
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return { text: bytes.subarray(0, end).toString("utf8"), truncated: true };
}

/** UTF-8 length without allocating the bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

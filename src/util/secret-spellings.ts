/** Only their length distinguishes pieces of base64 from ordinary words. */
const SHORTEST_ENCODED = 8;

/** A secret as it stands, and as JSON, addresses, forms, base64 and Basic credentials spell it. */
export function spellingsOf(secret: string): string[] {
  // Half a pair of surrogates has no bytes of its own.
  const bytes = Buffer.from(secret);
  const text = bytes.toString();
  const inJson = JSON.stringify(secret).slice(1, -1);
  const percent = [encodeURIComponent(text), strictlyEncoded(text)];
  const spellings = [
    secret,
    inJson,
    inJson.replaceAll("/", "\\/"),
    // Serializers for web pages leave out different characters.
    ...[/[<>&]/g, /[<>&'=]/g, /[<>&'+]/g, /[<>&'"+]/g].map((set) => inUnicodeEscapes(inJson, set)),
    ...percent,
    ...percent.map((form) => form.replaceAll("%20", "+")),
    ...percent.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    ...encodedBytes(bytes),
  ];
  return [...new Set(spellings)].filter((form) => form !== "");
}

function inUnicodeEscapes(text: string, set: RegExp): string {
  return text.replace(set, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As some servers and languages do it: nothing but letters, digits and `-_.~` stays. */
function strictlyEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Base64 of the bytes wherever they begin within what is encoded, as behind the user name of Basic
 * credentials: characters that the bytes before and after have a part in are left out.
 */
function encodedBytes(bytes: Buffer): string[] {
  const forms = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const rest = (before + bytes.length) % 3;
    return encoded.slice(Math.ceil((before * 8) / 6), rest === 0 ? undefined : -1);
  });
  return forms
    .filter((form) => form.length >= SHORTEST_ENCODED)
    .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(form)]);
}

/** The texts in Basic credentials: user and password together, and the password. */
export function decodedBasic(value: string): string[] {
  const encoded = /^Basic\s+([A-Za-z0-9+/_-]+=*)\s*$/i.exec(value)?.[1];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, "base64").toString();
  const colon = pair.indexOf(":");
  return colon < 0 ? [] : [pair, pair.slice(colon + 1)];
}

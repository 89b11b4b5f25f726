/** Names in runs and decisions of initiators that are no user: timers, schedules, webhooks, tokens. */
const RESERVED = /^(?:gateway$|(?:service|cron|webhook|token):)/i;

/** Letters of other scripts, and colons, that look like those of the reserved names. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{
    а: "a",
    с: "c",
    е: "e",
    ԍ: "g",
    һ: "h",
    і: "i",
    к: "k",
    о: "o",
    р: "p",
    ѕ: "s",
    т: "t",
    ѵ: "v",
    ԝ: "w",
    у: "y",
  },
  ...{ α: "a", ε: "e", ι: "i", κ: "k", ν: "v", ο: "o", τ: "t", υ: "y", ω: "w" },
  ...{ ɡ: "g", ı: "i", "∶": ":", "꞉": ":", ː: ":", "׃": ":" },
};

/** Whether no user may have the name: their actions would look like those of no user, to people too. */
export function isReservedName(name: string): boolean {
  // Wide and other forms of the same letters, accents, and what is not seen at all.
  const plain = name
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\p{Cc}\p{Z}\u115f\u1160\u3164\uffa0]/gu, "")
    .toLowerCase();
  return RESERVED.test([...plain].map((letter) => LOOKALIKES[letter] ?? letter).join(""));
}

export const RESERVED_NAMES = "gateway, or one that begins with service:, cron:, webhook: or token:";

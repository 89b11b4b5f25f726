/** What a text of a format looks like. */
export const LOOKS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:00:00Z",
  date: "2026-01-31",
  time: "09:00:00",
  duration: "P1DT12H",
  email: "name@example.com",
  uri: "https://…",
};

import type { GatewayConfig } from "treadle/gateway";

// `npx treadle gateway` reads this file and serves; `npx treadle cron list` shows when the next run is due, and
// `npx treadle cron run gateway:report` asks for one now. More schedules, with inputs and time zones of their own:
// npx treadle cron create report '30 9 * * 1-5' --time-zone Europe/Berlin --input '{"ending":".tsx"}'
export default {
  workflows: {
    report: { workflow: "report.tsx", schedule: "0 9 * * 1-5" }, // weekdays at nine, UTC
  },
} satisfies GatewayConfig;

import { fileURLToPath } from "node:url";
import type { GatewayConfig } from "treadle/gateway";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The gateway of examples 18 and 19: each workflow has a page of its own at `/workflows/<key>`. */
export default {
  workflows: {
    desk: {
      workflow: "../18-answer-desk.tsx",
      ui: { entry: file("answer-desk.jsx"), title: "Answer desk" },
    },
    "live-report": {
      workflow: "../19-live-report.tsx",
      ui: { entry: file("live-report.jsx"), title: "Orders by region", props: { seconds: 1 } },
    },
  },
} satisfies GatewayConfig;

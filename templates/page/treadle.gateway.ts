import { fileURLToPath } from "node:url";
import type { GatewayConfig } from "treadle/gateway";

// `npx treadle gateway --open` serves the page at http://127.0.0.1:7331/workflows/desk, and the operator's at /console. While you
// write, `npx treadle dev` does the same and takes up each save of the workflow.
export default {
  workflows: {
    desk: {
      workflow: "desk.tsx",
      ui: { entry: fileURLToPath(new URL("page.jsx", import.meta.url)), title: "Desk" },
    },
  },
} satisfies GatewayConfig;

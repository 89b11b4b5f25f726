import { existsSync } from "node:fs";
import type { GatewayConfig } from "treadle/gateway";

// `npx treadle gateway` reads this file and serves; `npx tsx send.ts` sends it a signed request, as a repository host
// or a payment service does.
const settings = new URL(".env", import.meta.url);
if (existsSync(settings)) process.loadEnvFile(settings);

const secret = process.env.WEBHOOK_SECRET;
if (!secret)
  throw new Error("Set WEBHOOK_SECRET, in the environment or in .env: who signs with it may start runs");

export default {
  workflows: {
    release: { workflow: "release.tsx", webhook: { secret, run: { enabled: true, inputPath: "$.release" } } },
  },
} satisfies GatewayConfig;

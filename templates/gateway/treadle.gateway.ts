import { existsSync } from "node:fs";
import type { GatewayConfig } from "treadle/gateway";

// `npx treadle gateway` reads this file and serves; the operator's page is at http://127.0.0.1:7331/console.
const settings = new URL(".env", import.meta.url);
if (existsSync(settings)) process.loadEnvFile(settings);

const token = process.env.GATEWAY_TOKEN;
if (!token)
  throw new Error("Set GATEWAY_TOKEN, in the environment or in .env: who sends it may do everything");

export default {
  workflows: { deploy: "deploy.tsx" },
  auth: { mode: "token", tokens: { [token]: { role: "operator", scopes: ["*"], userId: "operator" } } },
} satisfies GatewayConfig;

// The surfaces of a gateway that listens: loaded with the first one, not with the library.
export { startSchedules } from "./cron/scheduler.js";
export { createGatewayApp } from "./gateway-app.js";
export { attachSocket } from "./socket/attach-socket.js";
export { finishAllDeliveries } from "./webhooks/webhook-actions.js";

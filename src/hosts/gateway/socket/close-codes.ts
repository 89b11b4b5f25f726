/** Close codes of a gateway's WebSockets; docs/gateway.md explains them. */
export const CLOSE = {
  gatewayCloses: 1001,
  binaryFrame: 1003,
  misbehaves: 1008,
  slowConsumer: 1013,
  wrongProtocol: 4400,
  refused: 4401,
  silent: 4408,
} as const;

export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];

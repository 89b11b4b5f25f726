import { request } from "node:http";
import { WebSocket } from "ws";

/** One client that follows a run to its end, whatever happens to its connection. */
export interface Following {
  runId: string;
  /** Numbers of the events in the order in which they came. */
  seqs: number[];
  connections: number;
}

export interface FollowOptions {
  /** Of the gateway, or of the server for `followByEvents`. */
  url: string;
  runId: string;
  /** How many more events until the client drops its connection; undefined: never again. */
  breaksAfter(): number | undefined;
}

const HELLO = { minProtocol: 1, maxProtocol: 1, client: { id: "follower", version: "1" } };

/** Over a WebSocket. Rejects when the gateway says something that it should not. */
export function followBySocket({ url, runId, breaksAfter }: FollowOptions): Promise<Following> {
  const following: Following = { runId, seqs: [], connections: 0 };
  return new Promise((resolve, reject) => {
    const connect = () => {
      following.connections += 1;
      let left = breaksAfter() ?? Number.POSITIVE_INFINITY;
      let isOver = false;
      const socket = new WebSocket(url.replace("http", "ws"));
      const ask = (method: string, params: object) =>
        socket.send(JSON.stringify({ type: "req", id: method, method, params }));
      socket.on("open", () => ask("connect", HELLO));
      // Refused or broken off: it comes back.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (!isOver) setTimeout(connect, 20);
      });
      socket.on("message", (data) => {
        if (left <= 0) return;
        const { id, ok, event, seq, error } = JSON.parse(String(data));
        if (ok === false) reject(new Error(JSON.stringify(error)));
        else if (id === "connect") ask("streamRunEvents", { runId, afterSeq: following.seqs.at(-1) ?? -1 });
        else if (event === "run.event") {
          following.seqs.push(seq);
          left -= 1;
          if (left <= 0) socket.terminate();
        } else if (event === "run.end") {
          isOver = true;
          socket.close();
          resolve(following);
        } else if (event === "run.gap" || event === "stream.error") reject(new Error(String(data)));
      });
    };
    connect();
  });
}

/** Over server-sent events. */
export function followByEvents({ url, runId, breaksAfter }: FollowOptions): Promise<Following> {
  const following: Following = { runId, seqs: [], connections: 0 };
  return new Promise((resolve) => {
    const connect = () => {
      following.connections += 1;
      let left = breaksAfter() ?? Number.POSITIVE_INFINITY;
      let isOver = false;
      const last = following.seqs.at(-1);
      const headers = last === undefined ? {} : { "last-event-id": String(last) };
      const sent = request(`${url}/v1/runs/${runId}/events`, { headers, agent: false }, (response) => {
        isOver ||= response.statusCode === 204;
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
          const frames = text.split("\n\n");
          text = frames.pop() ?? "";
          for (const frame of frames) {
            if (left <= 0) return;
            const event = /^event: (.*)$/m.exec(frame)?.[1];
            if (event === "end") isOver = true;
            else if (event !== undefined) {
              following.seqs.push(Number(/^id: (\d+)$/m.exec(frame)?.[1]));
              left -= 1;
              if (left <= 0) sent.destroy();
            }
          }
        });
      });
      sent.on("error", () => undefined);
      sent.on("close", () => {
        if (isOver) resolve(following);
        else setTimeout(connect, 20);
      });
      sent.end();
    };
    connect();
  });
}

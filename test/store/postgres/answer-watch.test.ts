import type { Client, ClientBase } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AnswerWatch } from "../../../src/store/postgres/answer-watch.js";

const ANSWER_MS = 15_000;
/** Between the two looks. */
const AGAIN_MS = 1_000;
const SESSION = 7;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection whose statement is on its way, and what the server says of its session. */
function scene({ isKnown = true } = {}) {
  const server = { says: "idle" as "idle" | "active" | "nothing", asked: [] as number[] };
  const ended: Error[] = [];
  const client = {
    connection: { stream: { destroy: (error: Error) => ended.push(error) } },
  } as unknown as ClientBase;
  const connect = () =>
    ({
      on() {},
      async connect() {
        if (server.says === "nothing") throw new Error("ECONNREFUSED");
      },
      async query(_text: string, [session]: number[]) {
        server.asked.push(session as number);
        return { rows: server.says === "active" ? [[1]] : [] };
      },
      end: async () => {},
    }) as unknown as Client;
  const watch = new AnswerWatch(ANSWER_MS, connect);
  if (isKnown) watch.know(client, SESSION);
  return { server, ended, answered: watch.begin(client) };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a statement without an answer", () => {
  it("ends its connection once the server was seen twice not to work on it", async () => {
    const { server, ended } = scene();
    await pass(ANSWER_MS - 1);
    expect(server.asked).toEqual([]);
    await pass(1);
    expect(server.asked).toEqual([SESSION]);
    await pass(AGAIN_MS - 1);
    expect(ended).toEqual([]);
    await pass(1);
    expect(server.asked).toEqual([SESSION, SESSION]);
    expect(ended.map(({ message }) => message)).toEqual([expect.stringMatching(/^ETIMEDOUT: .* 15000 ms/)]);
    await pass(10 * ANSWER_MS);
    expect(server.asked).toHaveLength(2);
    expect(ended).toHaveLength(1);
  });

  it("ends its connection where the server cannot be asked", async () => {
    const { server, ended } = scene();
    server.says = "nothing";
    await pass(ANSWER_MS + AGAIN_MS);
    expect(ended).toHaveLength(1);
  });

  it("is waited for as long as the server works on it", async () => {
    const { server, ended } = scene();
    server.says = "active";
    await pass(5 * ANSWER_MS);
    expect(server.asked).toHaveLength(5);
    server.says = "idle";
    await pass(ANSWER_MS);
    // Seen at the second look only: its answer is waited for once more.
    server.says = "active";
    await pass(AGAIN_MS);
    expect(ended).toEqual([]);
    server.says = "idle";
    await pass(ANSWER_MS + AGAIN_MS);
    expect(ended).toHaveLength(1);
  });

  it("keeps its connection where the server has not said which session it is", async () => {
    const { server, ended } = scene({ isKnown: false });
    await pass(5 * ANSWER_MS);
    expect(server.asked).toEqual([]);
    expect(ended).toEqual([]);
  });
});

describe("a statement that is answered", () => {
  it("is not asked for", async () => {
    const { server, answered } = scene();
    await pass(ANSWER_MS - 1);
    answered();
    await pass(5 * ANSWER_MS);
    expect(server.asked).toEqual([]);
  });

  it("keeps its connection where the answer comes between two looks", async () => {
    const { server, ended, answered } = scene();
    await pass(ANSWER_MS);
    answered();
    await pass(5 * ANSWER_MS);
    expect(server.asked).toEqual([SESSION]);
    expect(ended).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { METHODS } from "../../../../src/hosts/gateway/rpc/methods.js";
import { openGateway } from "../support/gateway.js";
import { type Frame, SocketClient } from "../support/socket-client.js";

const code = (frame: Frame) => frame.error?.code;

describe("a frame that is no request", () => {
  it("is answered with what is wrong with it, and the connection continues", async () => {
    const { url } = await openGateway(() => {});
    const client = await SocketClient.connect(url);
    const wrong: [string, string | null, string][] = [
      ["{", null, "INVALID_JSON"],
      ["", null, "INVALID_JSON"],
      ["null", null, "INVALID_INPUT"],
      ["[]", null, "INVALID_INPUT"],
      ['"text"', null, "INVALID_INPUT"],
      ['{"type":"req","id":7,"method":"health"}', null, "INVALID_INPUT"],
      ['{"type":"res","id":"a","method":"health"}', "a", "INVALID_INPUT"],
      ['{"type":"req","id":"b"}', "b", "INVALID_INPUT"],
      ['{"type":"req","id":"c","method":"health","more":1}', "c", "INVALID_INPUT"],
      [
        `{"type":"req","id":"d","method":"health","params":${"[".repeat(200)}${"]".repeat(200)}}`,
        "d",
        "INVALID_INPUT",
      ],
      ['{"type":"req","id":"e","method":"nothing"}', "e", "METHOD_NOT_FOUND"],
      ['{"type":"req","id":"f","method":"__proto__"}', "f", "METHOD_NOT_FOUND"],
      ['{"type":"req","id":"g","method":"getRun","params":{"runId":7}}', "g", "INVALID_INPUT"],
    ];
    for (const [text, id, expected] of wrong) {
      const seen = client.frames.length;
      client.send(text);
      const frame = await client.next((frame) => client.frames.indexOf(frame) >= seen);
      expect({ text, id: frame.id, code: code(frame) }).toEqual({ text, id, code: expected });
    }
    expect(await client.result("health")).toMatchObject({ ok: true });
  });

  it("closes the connection when it is binary, too large, not UTF-8, or one of very many", async () => {
    const { url } = await openGateway(() => {}, { maxPayload: 1_000 });
    const closing = async (act: (client: SocketClient) => void) => {
      const client = await SocketClient.connect(url);
      act(client);
      return (await client.closed).code;
    };
    expect(await closing(({ socket }) => socket.send(Buffer.from("{}")))).toBe(1003);
    expect(await closing((client) => client.send("x".repeat(1_001)))).toBe(1009);
    expect(await closing(({ socket }) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false }))).toBe(
      1007,
    );
    const babble = (client: SocketClient) => {
      for (let count = 0; count < 100; count += 1) client.send("{");
    };
    expect(await closing(babble)).toBe(1008);
  });
});

describe("a request", () => {
  it("is refused under an id that is under way, and when very many are", async () => {
    const { open, handler } = gate();
    const { url } = await openGateway((gateway) =>
      gateway.extend("test", { queries: { wait: { handler } } }),
    );
    const client = await SocketClient.connect(url);
    const first = client.request("ext.test.wait", {}, "one");
    const answers = () => client.frames.filter(({ id }) => id === "one");
    client.send({ type: "req", id: "one", method: "health" });
    expect(code(await client.next(({ id }) => id === "one"))).toBe("INVALID_INPUT");
    for (let count = 0; count < 63; count += 1)
      client.send({ type: "req", id: `w${count}`, method: "ext.test.wait" });
    expect(code(await client.request("health", {}, "late"))).toBe("RATE_LIMITED");
    open();
    await first;
    await expect.poll(() => answers().map(({ ok }) => ok)).toEqual([false, true]);
    // It may be used again once it is answered.
    client.send({ type: "req", id: "one", method: "health" });
    await expect.poll(() => answers().map(({ ok }) => ok)).toEqual([false, true, true]);
  });

  it("of every method is answered, and of an extension with what its handler gives", async () => {
    const handler = (params: unknown, ctx: { key: string }) => ({ params, key: ctx.key });
    const { url, rpc } = await openGateway((gateway) =>
      gateway.extend("test", { queries: { echo: { handler } } }),
    );
    const client = await SocketClient.connect(url);
    expect(await client.result("ext.test.echo", { a: 1 })).toEqual({ params: { a: 1 }, key: "echo" });
    for (const method of Object.keys(METHODS)) {
      const overHttp = (await rpc(method, {})) as { status: number; body: { error?: { code: string } } };
      const frame = await client.request(method, {});
      const expected = overHttp.status === 200 ? undefined : overHttp.body.error?.code;
      expect({ method, code: code(frame) }).toEqual({ method, code: expected });
    }
  });
});

/** A handler whose calls wait until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), handler: () => opened.then(() => null) };
}

import { expect, it } from "vitest";
import { Mailbox } from "../../../src/engine/session/mailbox.js";
import { VirtualTime } from "../../support/engine/virtual-time.js";

it("a mailbox that is closed keeps nothing of what still arrives, and waits for no time", async () => {
  const time = new VirtualTime();
  const mailbox = new Mailbox<string>(time);
  mailbox.post("before");
  mailbox.close();
  mailbox.post("late");
  mailbox.postLazily("later");
  expect(time.nextTimer()).toBeUndefined();
  const next = mailbox.next();
  mailbox.wake();
  expect(await next).toEqual([]);
});

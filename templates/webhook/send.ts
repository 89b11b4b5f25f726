import { createHmac, randomUUID } from "node:crypto";

// What the other side does: the signature over the bytes of the body lets the request in, and the id of the delivery
// makes sure that it acts once, however often it is sent.
const secret = process.env.WEBHOOK_SECRET ?? "correct-horse";
const [url = "http://127.0.0.1:7331", version = "1.0.0", id = randomUUID()] = process.argv.slice(2);
const body = JSON.stringify({ release: { version, notes: ["First."] } });
const response = await fetch(`${url}/webhooks/release`, {
  method: "POST",
  headers: {
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "x-delivery-id": id,
  },
  body,
});
console.log(response.status, await response.text());

import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

// A worker that sends `count` requests over 16 connections and tells how long that took, milliseconds.
const { url, method, body, count } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let left = count;

function one() {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const sent = request(url, { agent, method, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().on("end", resolve);
    });
    sent.on("error", reject).end(body);
  });
}

async function many() {
  while (left > 0) {
    left -= 1;
    await one();
  }
}

const begun = performance.now();
await Promise.all(Array.from({ length: 16 }, many));
parentPort.postMessage(performance.now() - begun);
agent.destroy();

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createClient } from "../../src/client/node.js";
import { Workspace } from "../cli/support/treadle.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../support/postgres/database.js";

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
}

interface Scrapes {
  scrape_configs: { authorization: { credentials: string } }[];
}

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: { containers: Container[] } };
  };
}

interface Container {
  name: string;
  command: string[];
  env: { name: string; valueFrom: { secretKeyRef: { name: string; key: string } } }[];
}

const textOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/operations/${name}`, import.meta.url)), "utf8");
const { services, configs } = parse(textOf("compose.yaml"), { merge: true }) as {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
};
const TOKEN = "token-of-the-gateway";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

const REPORT = `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ output: z.object({ pid: z.number() }) });
export default service(() => (
  <Workflow name="report">
    <Task id="render" output={outputs.output} queue="large">{() => ({ pid: process.pid })}</Task>
  </Workflow>
));
`;

/** What the service runs in its container, here: at a free port, in the database of the test. */
function argumentsOf(service: Service): string[] {
  const [program, ...rest] = service.command ?? [];
  expect(program).toBe("node_modules/.bin/treadle");
  expect(service.environment?.["SERVICE_DATABASE_URL"]).toContain("@postgres:5432/");
  const here: Record<string, string> = { "7331": "0", "0.0.0.0": "127.0.0.1", "${GATEWAY_TOKEN}": TOKEN };
  return rest.map((argument) => here[argument] ?? argument);
}

it("the compose file's gateway and workers execute a workflow of the project", async () => {
  const workspace = new Workspace({ ".service/workflows/report.tsx": REPORT });
  const env = { SERVICE_DATABASE_URL: database.url };
  const of = (name: string) => argumentsOf(services[name] as Service);
  const gateway = workspace.start([...of("gateway"), "--json"], { env });
  let said = "";
  gateway.process.stdout?.on("data", (chunk: Buffer) => {
    said += String(chunk);
  });
  const workers = ["worker-1", "worker-2"].map((name) => workspace.start(of(name), { env }));
  await Promise.all([gateway.seen('"listening"'), ...workers.map((each) => each.seen("Executing tasks"))]);
  const url = /"url":"([^"]+)"/.exec(said)?.[1] ?? "";
  const client = createClient({ url, token: TOKEN });
  onTestFinished(() => client.close());
  await client.launchRun({ workflow: "report", input: {} });
  const pids = workers.map(({ process }) => process.pid);
  const rows = () => query(database.url, "SELECT pid FROM output").catch(() => []);
  await expect.poll(rows).toEqual([[expect.toBeOneOf(pids)]]);
  // Prometheus looks at the same gateway, with the same token.
  const [scrape] = (parse(configs["prometheus"]?.content ?? "") as Scrapes).scrape_configs;
  expect(scrape).toMatchObject({ static_configs: [{ targets: ["gateway:7331"] }] });
  expect(scrape?.authorization.credentials).toBe("${GATEWAY_TOKEN}");
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await metrics.text()).toContain("service_runs_total");
});

it("the Kubernetes example runs the commands of the compose file, and keeps what is secret in a Secret", () => {
  const documents = parseAllDocuments(textOf("kubernetes.yaml"));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const resources = documents.map((document) => document.toJS() as Resource);
  const deployments = resources.filter(({ kind }) => kind === "Deployment");
  const containers = deployments.flatMap(({ spec }) => spec.template.spec.containers);
  const commands = containers.map(({ command }) =>
    command.map((word) => word.replace(/^\$\((\w+)\)$/, "${$1}")),
  );
  // A worker's name is its pod's.
  expect(commands).toEqual([services["gateway"]?.command, services["worker-1"]?.command?.slice(0, -2)]);
  for (const { spec } of deployments) {
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  }
  for (const { command, env } of containers) {
    expect(env.map(({ valueFrom }) => valueFrom.secretKeyRef.name)).toEqual(env.map(() => "treadle"));
    const names = env.map(({ name }) => name);
    expect(names).toContain("SERVICE_DATABASE_URL");
    for (const [, used] of command.join(" ").matchAll(/\$\((\w+)\)/g)) expect(names).toContain(used);
  }
});

import { posix } from "node:path";
import type { Composite } from "../../model/composite.js";
import type {
  SandboxEgress,
  SandboxPort,
  SandboxVolume,
  SandboxWorkspace,
} from "../../model/sandbox-access.js";
import {
  checked,
  flag,
  name,
  oneOf,
  positiveNumber,
  required,
  textOrTexts,
  textsByName,
} from "../../options/option-rules.js";
import { checkItem, checkItems, type ItemRules } from "./check-items.js";
import { wrongProp } from "./wrong-prop.js";

const VOLUME: ItemRules<SandboxVolume> = {
  what: "a volume",
  fields: {
    host: required(name),
    container: required(
      checked(
        'an absolute path inside, such as "/opt/agent", without ".."',
        (value) =>
          typeof value === "string" &&
          posix.isAbsolute(value) &&
          posix.normalize(value) === value &&
          value !== "/" &&
          !value.endsWith("/"),
      ),
    ),
    readonly: flag,
  },
};

const port = checked(
  "a port from 1 to 65535",
  (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535,
);
const PORT: ItemRules<SandboxPort> = {
  what: "a port",
  fields: { host: required(port), container: required(port) },
};

const WORKSPACE: ItemRules<SandboxWorkspace> = {
  what: "a workspace",
  fields: {
    name: required(
      checked(
        "at most 64 letters, digits, dots, underscores and dashes, the first a letter or digit",
        (value) => typeof value === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value),
      ),
    ),
    persistence: oneOf(["ephemeral", "sticky"]),
    snapshotId: checked("the id of a snapshot: 40 hex digits", (value) =>
      /^[0-9a-f]{40}$/.test(String(value)),
    ),
    idleTimeoutSecs: positiveNumber,
  },
};

const proxy = checked('the address of a proxy, such as "http://127.0.0.1:3128"', isProxy);
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const EGRESS: ItemRules<SandboxEgress> = {
  what: "the ways out of the sandbox",
  fields: {
    env: textsByName,
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: textOrTexts,
    caCertPem: checked("a certificate as PEM", (value) =>
      String(value).includes("-----BEGIN CERTIFICATE-----"),
    ),
    caCertPath: name,
    secretBindings: checked(
      'names of variables inside to names of variables of the host, such as { API_KEY: "API_KEY" }',
      (value) =>
        textsByName.fits(value) &&
        Object.entries(value)
          .flat()
          .every((each) => VARIABLE.test(each)),
    ),
  },
};

/** What a sandbox sees and reaches beyond its files. @throws INVALID_INPUT naming the field, its value and what is expected */
export function checkAccess(
  composite: Composite,
  {
    volumes = [],
    ports = [],
    egress,
    workspace,
  }: {
    volumes?: readonly SandboxVolume[];
    ports?: readonly SandboxPort[];
    egress?: SandboxEgress;
    workspace?: SandboxWorkspace;
  },
): void {
  checkItems(composite, { prop: "volumes", list: volumes, rules: VOLUME, known: "container" });
  checkItems(composite, { prop: "ports", list: ports, rules: PORT, known: "host" });
  if (workspace !== undefined) checkWorkspace(composite, workspace);
  if (egress === undefined) return;
  checkItem(composite, { prop: "egress", item: egress, rules: EGRESS });
  if (egress.caCertPem === undefined || egress.caCertPath === undefined) return;
  throw wrongProp(composite, {
    prop: "egress.caCertPath",
    value: egress.caCertPath,
    expected: "no path beside caCertPem",
  });
}

function checkWorkspace(composite: Composite, workspace: SandboxWorkspace): void {
  checkItem(composite, { prop: "workspace", item: workspace, rules: WORKSPACE });
  if (workspace.persistence !== "ephemeral" || workspace.idleTimeoutSecs === undefined) return;
  throw wrongProp(composite, {
    prop: "workspace.idleTimeoutSecs",
    value: workspace.idleTimeoutSecs,
    expected: "no idle timeout of an ephemeral workspace, which ends with its sandbox",
  });
}

function isProxy(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, pathname, search } = new URL(value);
  return protocol === "http:" && pathname === "/" && search === "";
}

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { minVersion, satisfies, subset } from "semver";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  version?: string;
  dev?: boolean;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  engines?: { node?: string };
}

/** `packages` of a package-lock.json: the path in node_modules, and what is installed there. */
type LockedPackages = Record<string, LockedPackage>;

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8")) as T;
}

/** Packages that our users install and that refuse to run on a Node version. */
function refusingNode(packages: LockedPackages, nodeVersion: string): string[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && dev !== true)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(nodeVersion, engines.node))
    .map(([path, { version, engines }]) => `${path}@${version} wants Node ${engines?.node}`);
}

/** Every place where a package of this name is installed. */
function copiesOf(packages: LockedPackages, name: string): string[] {
  return Object.keys(packages).filter(
    (path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`),
  );
}

const { packages } = readJson<{ packages: LockedPackages }>("package-lock.json");
const manifest = readJson<{
  engines: { node: string };
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}>("package.json");
const oldestNode = minVersion(manifest.engines.node)?.version ?? "";

describe("the runtime dependencies", () => {
  it("all run on the oldest Node version that package.json promises", () => {
    expect(oldestNode).toBe("20.19.0");
    expect(
      refusingNode(packages, oldestNode),
      `Choose versions that run on Node ${oldestNode}, or raise engines.node in package.json.`,
    ).toEqual([]);
  });

  it("are all imported by the code that is published", () => {
    const sources = ["src", "jsx-runtime"].flatMap((folder) => {
      const path = fileURLToPath(new URL(`../${folder}/`, import.meta.url));
      return readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => readFileSync(`${path}${name}`, "utf8"));
    });
    const unused = Object.keys(manifest.dependencies).filter(
      (name) =>
        !name.startsWith("@types/") &&
        !sources.some((text) => new RegExp(`["']${name}(?:/[^"']*)?["']`).test(text)),
    );
    expect(unused, "Remove what nothing imports.").toEqual([]);
  });

  it("are all in the lock file", () => {
    const missing = Object.keys(manifest.dependencies).filter(
      (name) => !(`node_modules/${name}` in packages),
    );
    expect(missing, "Run `npm install` and commit package-lock.json.").toEqual([]);
  });

  it.each(["zod", "react"])(
    "share one copy of %s, whose values do not work with those of another copy",
    (name) => {
      expect(
        copiesOf(packages, name),
        `Align the version ranges (\`npm ls ${name}\` shows who asks for what) so that npm installs one copy.`,
      ).toEqual([`node_modules/${name}`]);
    },
  );
});

describe("the peers", () => {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const peersOfDependencies = Object.keys(dependencies).flatMap((name) => {
    const { peerDependencies: peers = {}, peerDependenciesMeta: meta = {} } =
      packages[`node_modules/${name}`] ?? {};
    return Object.entries(peers)
      .filter(([peer]) => meta[peer]?.optional !== true)
      .map(([peer, range]) => ({ name, peer, range }));
  });

  it.each(peersOfDependencies)(
    "$name gets a $peer that fits $range, whichever fits ours",
    ({ peer, range }) => {
      const ours = peerDependencies[peer] ?? dependencies[peer];
      expect(subset(ours ?? "*", range)).toBe(true);
    },
  );

  it.each(["react", "zod"])(
    "%s is tested with the oldest version of its range, and with a newer one",
    (name) => {
      const range = peerDependencies[name] ?? "";
      expect(devDependencies[`${name}-oldest`]).toBe(`npm:${name}@${minVersion(range)?.version}`);
      expect(satisfies(devDependencies[name] ?? "", range)).toBe(true);
    },
  );

  it("are no dependencies, and types stay where they are needed", () => {
    const names = Object.keys(dependencies);
    expect(names.filter((name) => name in peerDependencies || name.startsWith("@types/"))).toEqual([]);
  });
});

describe("refusingNode", () => {
  it("names packages that need a newer Node, at any depth", () => {
    const locked = {
      "": { version: "1.0.0", engines: { node: ">=99" } },
      "node_modules/a": { version: "1.0.0", engines: { node: ">=22" } },
      "node_modules/a/node_modules/b": { version: "2.0.0", engines: { node: "^18 || >=20.20" } },
    };
    expect(refusingNode(locked, "20.19.0")).toEqual([
      "node_modules/a@1.0.0 wants Node >=22",
      "node_modules/a/node_modules/b@2.0.0 wants Node ^18 || >=20.20",
    ]);
  });

  it("accepts packages that ask for nothing, for older versions, or only serve development", () => {
    const locked = {
      "node_modules/a": { version: "1.0.0" },
      "node_modules/b": { version: "1.0.0", engines: { node: "20 || >=22" } },
      "node_modules/c": { version: "1.0.0", dev: true, engines: { node: ">=22" } },
    };
    expect(refusingNode(locked, "20.19.0")).toEqual([]);
  });
});

describe("copiesOf", () => {
  it("finds nested copies and ignores packages whose name only ends alike", () => {
    const locked = {
      "node_modules/zod": {},
      "node_modules/a/node_modules/zod": {},
      "node_modules/@b/zod": {},
      "node_modules/my-zod": {},
    };
    expect(copiesOf(locked, "zod")).toEqual(["node_modules/zod", "node_modules/a/node_modules/zod"]);
  });
});

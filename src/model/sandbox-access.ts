/** A file or folder of the host that a sandbox sees beside its copy of the files. */
export interface SandboxVolume {
  /** Path on the host; a relative one begins at the run's folder. */
  host: string;
  /** Absolute path inside, which nothing else stands at. */
  container: string;
  /** Whether it cannot be changed from inside. @default true */
  readonly?: boolean;
}

/** A port of the host's loopback that leads to one inside a sandbox. */
export interface SandboxPort {
  /** Port of 127.0.0.1 on the host. */
  host: number;
  /** Port inside, where a program listens on 127.0.0.1. */
  container: number;
}

/** The ways out of a sandbox, and what it gets from the process that starts it. */
export interface SandboxEgress {
  /** Variables for those who use the ways out. */
  env?: Readonly<Record<string, string>>;
  /** Address of the proxy for `http:`, such as `http://127.0.0.1:3128`: with the network closed, the way to it is the only one. */
  httpProxy?: string;
  /** Address of the proxy for `https:`, itself an `http:` one. */
  httpsProxy?: string;
  /** Hosts that are reached without a proxy, where the network is open. */
  noProxy?: string | readonly string[];
  /** Certificate of an authority that Node trusts inside, as PEM. */
  caCertPem?: string;
  /** File with such a certificate; a relative path begins at the run's folder. */
  caCertPath?: string;
  /** Name of a variable inside to the name of the host's variable that has its value: read as the sandbox starts, stored nowhere. */
  secretBindings?: Readonly<Record<string, string>>;
}

/** Files that outlive one sandbox. */
export interface SandboxWorkspace {
  /** Tells it from the other workspaces of the run: letters, digits, `.`, `_` and `-`, at most 64. */
  name: string;
  /**
   * Whether the next sandbox of the run that names it finds the files as the last one has left them. An ephemeral one begins with
   * a new copy each time. @default "sticky"
   */
  persistence?: "ephemeral" | "sticky";
  /** Begins with the files of this snapshot of a workspace of that name, which `SandboxCompleted` has named. @default the run's folder */
  snapshotId?: string;
  /** Seconds without a sandbox after which the workspace is removed; its snapshots stay. @default as long as the run is kept */
  idleTimeoutSecs?: number;
}

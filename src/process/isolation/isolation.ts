/** The confinement of a command. All paths are absolute and real, without links. */
export interface Confinement {
  /** Whether it reaches the network. */
  readonly network: boolean;
  /** The folder that it may write to. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files and folders that it does not see. */
  readonly hidden: readonly string[];
  /** Files that it sees and cannot change, where the way of isolation can do that. */
  readonly frozen: readonly string[];
  /** Most memory of one process, bytes. */
  readonly maxMemoryBytes: number;
  /** Most processes and threads at once. */
  readonly maxProcesses: number;
}

/** One way to confine a command on this host: a command line to put before it. */
export interface Isolation {
  readonly tool: string;
  readonly argv: readonly string[];
  /** Most processes and threads at once, those of the tool itself included. @default no limit but the one in `argv` */
  readonly maxProcesses?: number;
  /** Bytes that the tool reads from descriptor 5 before it begins. */
  readonly filter?: Buffer;
}

/**
 * Text of shells inside the isolation: limits, the sign that it stands, then the command. By `exec`,
 * which knows no builtins: a command named "eval" must not make shell text of its arguments.
 */
export const INNER_SCRIPT = `
{
  ulimit -c 0
  ulimit -d "$1"
  ulimit -u "$2" || ulimit -p "$2"
} 2>/dev/null
shift 2
echo ready >&4
exec 4>&- 5<&-
(exec "$@")
exit $?
`;

/** The inner shell, as the end of a tool's command line. It stays around: some programs do not bear to be the first. */
export function innerShell({ maxMemoryBytes, maxProcesses }: Confinement, script = INNER_SCRIPT): string[] {
  const kibibytes = Math.ceil(maxMemoryBytes / 1_024);
  return ["/bin/sh", "-c", script, "sh", String(kibibytes), String(maxProcesses)];
}

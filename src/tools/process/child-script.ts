/*
 * Shell text around every command. The process tree of one call:
 *
 *   engine ── sh (leader of its own process group; becomes the command or the isolation tool)
 *              └─ watchdog: waits for the end of descriptor 3, whose other end only the engine holds
 *
 * When the engine dies in whatever way, the kernel closes its end and the watchdog
 * kills what the call has started. Descriptor 4 tells the engine that the
 * isolation stands and the command begins; nothing of the command runs before.
 */

/** Variable that every process of a call inherits; its value is unique per call. */
export const CALL_MARKER = "TREADLE_TOOL_CALL";

/**
 * $1 is the marker's value, the rest the command. Strays that left the process
 * group by setsid are found by the marker, where /proc shows it. The watchdog's own
 * shell started without the marker, so it is never among them; the group, with the
 * watchdog in it, goes last.
 */
export const OUTER_SCRIPT = `
exec 2>&1
(
  read -r _
  grep -l "${CALL_MARKER}=$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
    kill -s KILL "$pid"
  done
  kill -s KILL -- "-$$"
) <&3 >/dev/null 2>&1 3<&- 4>&- &
export ${CALL_MARKER}="$1"
shift
exec 3<&-
exec "$@"
`;

/** Without isolation the command takes the place of the shell. */
export const DIRECT_SCRIPT = `
exec 4>&-
exec "$@"
`;

/** Runs inside the isolation. It stays around as the first process there, which some programs do not bear to be. */
export const INNER_SCRIPT = `
echo ready >&4
exec 4>&-
"$@"
exit $?
`;

/** A fresh network namespace has its loopback interface down; one of these is on nearly every host. */
export const LOOPBACK_SCRIPT = `
(
  PATH="$PATH:/usr/sbin:/sbin"
  ip link set lo up || ifconfig lo up || perl -e '
    socket(my $s, 2, 2, 0) or exit 1;
    ioctl($s, 0x8914, pack("a16 s x14", "lo", 0x49)) or exit 1;
  '
) >/dev/null 2>&1
${INNER_SCRIPT}`;

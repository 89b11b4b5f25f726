import { userInfo } from "node:os";

/** Who acts when nothing else is said: the user of this machine. */
export function userName(environment: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the user database, as containers have them.
    return environment.USER || environment.USERNAME || "unknown";
  }
}

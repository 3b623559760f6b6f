/** The body of a judge's reply, read whole and decoded, within a limit of bytes. */
import { brotliDecompressSync, inflateRawSync, unzipSync } from "node:zlib";
import { messageOf } from "../../text/errors.ts";
import { shorten } from "../../text/format.ts";
import { JudgeError } from "../judge.ts";

/** Bytes of one reply, as it was sent and decoded: no verdict is as long. */
const LONGEST_REPLY = 4_000_000;
const LIMIT = { maxOutputLength: LONGEST_REPLY };

/** A reply that began, and broke off. */
export class HalfReply extends Error {}

/** Reads a body whole, so that one which breaks off is an error and not half a verdict. */
export async function readBody(body: AsyncIterable<Uint8Array>, encoding: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > LONGEST_REPLY) throw tooLong();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof JudgeError) throw error;
    throw new HalfReply(`the answer broke off: ${messageOf(error)}`, { cause: error });
  }
  return decoded(Buffer.concat(chunks), encoding.toLowerCase());
}

/** The bytes as they were before some server or proxy compressed them, although it was asked not to. */
function decoded(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "" || encoding === "identity" || bytes.length === 0) return bytes;
  try {
    if (encoding === "br") return brotliDecompressSync(bytes, LIMIT);
    if (encoding === "gzip" || encoding === "x-gzip") return unzipSync(bytes, LIMIT);
    // Some servers leave out zlib's own header, whose first half byte is an 8.
    if (encoding === "deflate")
      return (bytes.readUInt8() & 15) === 8 ? unzipSync(bytes, LIMIT) : inflateRawSync(bytes, LIMIT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLong();
    throw compressed(encoding, `cannot be decoded (${messageOf(error)})`);
  }
  throw compressed(encoding, "is none that waza-grade decodes");
}

function tooLong(): JudgeError {
  return new JudgeError("invalid-reply", "The judge's answer is longer than 4 MB.", {
    help: "Use another judge model.",
  });
}

function compressed(encoding: string, fault: string): JudgeError {
  const message = `The judge's reply cannot be read: its \`content-encoding: ${shorten(encoding, 40)}\` ${fault}.`;
  return new JudgeError("invalid-reply", message, {
    help: "Have the server, or the gateway in front of it, answer uncompressed: that is what it is asked for.",
  });
}

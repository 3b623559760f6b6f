/** Reads and decodes the body of a judge's reply, up to a size limit. */
import { brotliDecompressSync, inflateRawSync, unzipSync } from "node:zlib";
import { messageOf } from "../../text/errors.ts";
import { shorten } from "../../text/format.ts";
import { JudgeError } from "../judge.ts";

/** Maximum bytes of a reply, compressed and decompressed: far longer than any verdict. */
const LONGEST_REPLY = 4_000_000;
const LIMIT = { maxOutputLength: LONGEST_REPLY };

/** A reply that was interrupted. */
export class IncompleteReply extends Error {}

/** Reads the whole body, so that an interrupted one is an error and not half a verdict. */
export async function readBody(body: AsyncIterable<Uint8Array>, encoding: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > LONGEST_REPLY) throw tooLongError();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof JudgeError) throw error;
    throw new IncompleteReply(`the reply was interrupted: ${messageOf(error)}`, { cause: error });
  }
  return decode(Buffer.concat(chunks), encoding.toLowerCase());
}

/** Decompresses the body: some servers and proxies compress despite `accept-encoding: identity`. */
function decode(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "" || encoding === "identity" || bytes.length === 0) return bytes;
  try {
    if (encoding === "br") return brotliDecompressSync(bytes, LIMIT);
    if (encoding === "gzip" || encoding === "x-gzip") return unzipSync(bytes, LIMIT);
    // Some servers omit zlib's header, in which the low half of the first byte is 8.
    if (encoding === "deflate")
      return (bytes.readUInt8() & 15) === 8 ? unzipSync(bytes, LIMIT) : inflateRawSync(bytes, LIMIT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLongError();
    throw encodingError(encoding, `cannot be decoded (${messageOf(error)})`);
  }
  throw encodingError(encoding, "is not supported");
}

function tooLongError(): JudgeError {
  return new JudgeError("invalid-reply", "The judge's reply is longer than 4 MB.", {
    help: "Use another judge model.",
  });
}

function encodingError(encoding: string, fault: string): JudgeError {
  const message = `The judge's reply cannot be read: its \`content-encoding: ${shorten(encoding, 40)}\` ${fault}.`;
  return new JudgeError("invalid-reply", message, {
    help: "Make the server, or the gateway in front of it, respect `accept-encoding: identity`.",
  });
}

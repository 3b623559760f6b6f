// A screenshot as a PNG with a palette of 256 colours, which is a third as large as a browser's own.
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST = 256;

/** The PNG of opaque pixels, four bytes each: the colours that are used most, and for others the nearest of these. */
export function smallPng(pixels: Buffer, width: number, height: number): Buffer {
  const uses = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.readUIntBE(at, 3);
    uses.set(colour, (uses.get(colour) ?? 0) + 1);
  }
  const byUse = [...uses].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = byUse.slice(0, MOST);
  const indexOf = new Map(byUse.map((colour) => [colour, palette.indexOf(nearest(palette, colour))]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = indexOf.get(pixels.readUIntBE((y * width + x) * 4, 3)) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits a pixel, which is an index of the palette
  const colours = Buffer.from(palette.flatMap(channels));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function nearest(palette: readonly number[], colour: number): number {
  const distance = (other: number) =>
    channels(other).reduce((sum, value, index) => sum + (value - (channels(colour)[index] ?? 0)) ** 2, 0);
  return palette.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}

function channels(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

/** Its length, name, bytes and checksum. */
function chunk(name: string, bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  const named = Buffer.concat([Buffer.from(name, "latin1"), bytes]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

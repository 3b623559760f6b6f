// Jest transformer: blanks out the types and keeps every position, so stack traces need no source map.
import { createHash } from "node:crypto";
import { stripTypeScriptTypes } from "node:module";

export default {
  getCacheKey: (source, path, { instrument }) =>
    createHash("sha256")
      .update([process.version, path, String(instrument), source].join("\0"))
      .digest("hex"),
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};

// Loaded into the action by bench-memory.ts: writes the process's peak memory, in kilobytes, as it ends.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS));
});

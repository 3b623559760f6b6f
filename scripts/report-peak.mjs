// Loaded into a process that is measured: as it ends, adds a line of JSON with its peak memory (kilobytes), its CPU
// time (microseconds) and what it ran to the file that PEAK_FILE names.
import { appendFileSync } from "node:fs";

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const line = { maxRSS, cpu: userCPUTime + systemCPUTime, ran: process.argv[1] ?? "" };
  appendFileSync(process.env.PEAK_FILE, `${JSON.stringify(line)}\n`);
});

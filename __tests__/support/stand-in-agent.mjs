// An agent for tests: it does what its prompt says, and writes messages as an agent's log has them.
import { spawn } from "node:child_process";
import { setInterval, setTimeout } from "node:timers";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

const prompt = process.env.PROMPT ?? readFileSync(0, "utf8");
const [what = "", detail = ""] = prompt.split(" ");
const say = (role, content) => console.log(JSON.stringify({ type: role, message: { role, content } }));
const answer = (text = "Done.") => {
  // In a folder with skills, the client says that it has the tool that loads them.
  const init = { type: "system", subtype: "init", session_id: "s", tools: ["Bash", "Skill"] };
  if (existsSync(".agents/skills")) console.log(JSON.stringify(init));
  say("user", prompt);
  say("assistant", text);
};
/** Counts the starts of one run in a file that no run's folder holds. */
const started = () => {
  appendFileSync(detail, ".");
  return readFileSync(detail, "utf8").length;
};

switch (what) {
  case "write":
    writeFileSync("left.txt", "left");
    answer();
    break;
  case "list":
    answer(
      spawn.name && JSON.stringify({ files: filesHere(), env: process.env, args: process.argv.slice(2) }),
    );
    break;
  case "die":
    console.error("the account is empty");
    process.exit(1);
    break;
  case "hang":
    answer("Half.");
    setInterval(() => undefined, 1_000);
    break;
  case "hang-hard":
    process.on("SIGTERM", () => undefined);
    answer("Half.");
    setInterval(() => undefined, 1_000);
    break;
  case "fork": {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    writeFileSync(detail, String(child.pid));
    child.unref();
    answer();
    process.exit(0);
    break;
  }
  case "skill":
  case "unknown-skill": {
    // It loads the skill that its query names, and would work on for long; or the client does not have it.
    const isError = what === "unknown-skill";
    console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "s" }));
    const content = [{ type: "tool_use", id: "1", name: "Skill", input: { skill: detail } }];
    console.log(
      JSON.stringify({
        type: "assistant",
        message: { role: "assistant", model: "m", content },
        session_id: "s",
      }),
    );
    say("user", [{ type: "tool_result", tool_use_id: "1", content: "-", is_error: isError }]);
    if (!isError) setInterval(() => undefined, 1_000);
    break;
  }
  case "used-up":
  case "refused": {
    const isUsedUp = what === "used-up";
    const limit = { status: "rejected", resetsAt: 1_795_000_000, rateLimitType: "five_hour" };
    console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "s" }));
    if (isUsedUp) console.log(JSON.stringify({ type: "rate_limit_event", rate_limit_info: limit }));
    console.log(
      JSON.stringify({
        type: "result",
        subtype: "success",
        is_error: true,
        api_error_status: isUsedUp ? 429 : 401,
        result: isUsedUp ? "You've hit your session limit" : "Invalid API key",
        session_id: "s",
        modelUsage: {},
      }),
    );
    process.exit(1);
    break;
  }
  case "limited":
    if (started() < 3) {
      console.error("429 Too Many Requests");
      process.exit(1);
    }
    answer();
    break;
  case "cost": {
    // As Claude Code, whose last row says what its session cost.
    const own = { session_id: "s", modelUsage: { m: {} }, result: "Done.", total_cost_usd: Number(detail) };
    console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "s" }));
    say("assistant", "Done.");
    console.log(JSON.stringify({ type: "result", subtype: "success", ...own }));
    break;
  }
  case "cost-on": {
    // As OpenCode, whose steps say what each cost; it would go on for long.
    const row = (type, part) =>
      console.log(JSON.stringify({ type, sessionID: "s", part: { type, ...part } }));
    row("step_start", {});
    row("text", { text: "Half." });
    row("step_finish", { type: "step-finish", reason: "tool-calls", cost: Number(detail) });
    setInterval(() => undefined, 1_000);
    break;
  }
  case "sleep":
    await new Promise((resolve) => setTimeout(resolve, Number(detail)));
    answer();
    break;
  case "log":
    console.log("loading…");
    writeFileSync(process.env.LOG ?? "", "From the log.");
    break;
  case "plant":
    writeFileSync("run.json", JSON.stringify({ eval: "evals/eval.yaml", task: "planted", log: "x" }));
    answer();
    break;
  default:
    answer(`You asked: ${prompt}`);
}

function filesHere() {
  return [
    "fixture.txt",
    ".agents/skills/csv/SKILL.md",
    ".agents/skills/csv/evals",
    ".agents/skills/pdf/SKILL.md",
    "in/a.csv",
  ].filter((path) => existsSync(path));
}

/** A loopback GitHub API: check runs and pull requests, refusing what the real one refuses. */
import { checkPatch, checkPost } from "./check-run-rules.ts";
import type { CheckAnnotation, CheckRunPost } from "./check-run-rules.ts";
import { bodyOf, listen, sendJson } from "./http.ts";

export interface CheckRun extends CheckRunPost {
  readonly annotations: CheckAnnotation[];
  /** Annotations of each request, in order. */
  readonly batches: number[];
}

export interface GitHubServer {
  readonly url: string;
  readonly checkRuns: CheckRun[];
  /** Why requests were answered with 422, which no test but those of the server expects. */
  readonly refused: string[];
  /** Bodies as they came, for redaction tests. */
  readonly bodies: string[];
  readonly close: () => Promise<void>;
}

export interface GitHubOptions {
  /** Answers every request so, as a read-only token (403) or a broken service (500) would. */
  readonly status?: number;
  /** Answers updates so. */
  readonly patchStatus?: number;
  readonly pulls?: Readonly<Record<number, { readonly sha: string }>>;
}

export async function startGitHub(options: GitHubOptions = {}): Promise<GitHubServer> {
  const checkRuns: CheckRun[] = [];
  const refused: string[] = [];
  const bodies: string[] = [];
  const server = await listen(async (request, response) => {
    const text = await bodyOf(request);
    bodies.push(text);
    const refuse = (status: number, message: string) => {
      if (status === 422) refused.push(message);
      sendJson(response, status, { message, documentation_url: "https://docs.github.com/rest" });
    };
    if (!/^(token|bearer) \S+$/i.test(request.headers.authorization ?? "")) {
      refuse(401, "Requires authentication");
      return;
    }
    if (options.status !== undefined) {
      refuse(
        options.status,
        options.status === 403 ? "Resource not accessible by integration" : "Server Error",
      );
      return;
    }
    const route = `${request.method ?? ""} ${request.url ?? ""}`;
    const pull = /^GET \/repos\/octo\/agents\/pulls\/(\d+)$/.exec(route);
    const update = /^PATCH \/repos\/octo\/agents\/check-runs\/(\d+)$/.exec(route);
    if (route === "POST /repos/octo/agents/check-runs") {
      const checked = checkPost(JSON.parse(text));
      if ("refusal" in checked) {
        refuse(422, checked.refusal);
        return;
      }
      const annotations = checked.body.output?.annotations ?? [];
      checkRuns.push({ ...checked.body, annotations: [...annotations], batches: [annotations.length] });
      const id = checkRuns.length;
      sendJson(response, 201, { id, html_url: `https://github.com/octo/agents/runs/${String(id)}` });
    } else if (update) {
      const checked = checkPatch(JSON.parse(text));
      const checkRun = checkRuns[Number(update[1]) - 1];
      if (options.patchStatus !== undefined) refuse(options.patchStatus, "Server Error");
      else if ("refusal" in checked) refuse(422, checked.refusal);
      else if (!checkRun) refuse(404, "Not Found");
      else {
        const annotations = checked.body.output?.annotations ?? [];
        checkRun.annotations.push(...annotations);
        checkRun.batches.push(annotations.length);
        sendJson(response, 200, { id: Number(update[1]) });
      }
    } else if (pull && options.pulls?.[Number(pull[1])]) {
      sendJson(response, 200, { number: Number(pull[1]), head: options.pulls[Number(pull[1])] });
    } else {
      refuse(404, "Not Found");
    }
  });
  return { url: server.url, checkRuns, refused, bodies, close: server.close };
}

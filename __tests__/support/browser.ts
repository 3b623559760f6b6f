/** A real Chromium, driven by its DevTools protocol; undefined where none is installed. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The program: that of the variable CHROMIUM, else the first that is installed. */
export const CHROMIUM = [...(process.env.CHROMIUM ? [process.env.CHROMIUM] : []), ...NAMES].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

export interface Browser {
  /** Opens an address that is not that of the open page, and waits until it is loaded. */
  readonly open: (address: string) => Promise<void>;
  /** The value of an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly press: (key: string) => Promise<void>;
  /** What else the protocol knows. */
  readonly send: (method: string, params?: object) => Promise<Record<string, unknown>>;
  /** Addresses that the pages asked for, and what the console and the policy complained of. */
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Starts it without a window, with a profile of its own. */
export async function startBrowser(program: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "waza-grade-browser-"));
  const args = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
    "about:blank",
  ];
  // It leaves a folder of its own where temporary files go.
  const child = spawn(program, args, { env: { ...process.env, TMPDIR: profile } });
  const ended = new Promise<void>((resolve) => child.once("exit", resolve));
  const socket = new WebSocket(await pageSocket(await debuggerPort(child.stderr)));
  await new Promise((resolve) => {
    socket.addEventListener("open", resolve, { once: true });
  });
  const answers = new Map<number, (message: Message) => void>();
  const events = new Map<string, () => void>();
  const requests: string[] = [];
  const complaints: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    else events.get(message.method ?? "")?.();
    const { request, entry } = (message.params ?? {}) as Record<string, Record<string, unknown> | undefined>;
    if (message.method === "Network.requestWillBeSent") requests.push(String(request?.url));
    if (message.method === "Log.entryAdded") complaints.push(String(entry?.text));
    if (message.method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(message.params));
    if (message.method === "Page.javascriptDialogOpening") complaints.push("a dialog");
  });
  let last = 0;
  const send = async (method: string, params: object = {}) => {
    const id = (last += 1);
    const { result, error } = await new Promise<Message>((resolve) => {
      answers.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  for (const domain of ["Page", "Network", "Log", "Runtime"]) await send(`${domain}.enable`);
  const evaluate = async (expression: string) => {
    const { result } = await send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    return (result as { value?: unknown }).value;
  };
  return {
    send,
    evaluate,
    requests,
    complaints,
    open: async (address) => {
      const loaded = new Promise<void>((resolve) => events.set("Page.loadEventFired", resolve));
      await send("Page.navigate", { url: address });
      await loaded;
    },
    press: async (key) => {
      const text = key.length === 1 ? { text: key } : {};
      await send("Input.dispatchKeyEvent", { type: "keyDown", key, ...text });
      await send("Input.dispatchKeyEvent", { type: "keyUp", key });
    },
    close: async () => {
      socket.close();
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function debuggerPort(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const port = /^DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error("The browser ended before it listened.");
}

async function pageSocket(port: string): Promise<string> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    readonly type: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const page = targets.find(({ type }) => type === "page");
  if (!page) throw new Error("The browser has no page.");
  return page.webSocketDebuggerUrl;
}

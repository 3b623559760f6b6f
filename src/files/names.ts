/** Names of files on pages and in messages. */
import { relative, sep } from "node:path";
import { isInside, repositoryRoot } from "./confine.ts";
import type { SourceSpan } from "../domain/location.ts";

/** A path with `/`, on Windows too. */
export function slashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

/** How a published page names a file: relative to its repository with `/`; as it is when it lies outside. */
export function publishedPath(file: string, workspace: string): { path: string; inRepository: boolean } {
  const root = repositoryRoot(file, workspace);
  return isInside(file, root)
    ? { path: slashes(relative(root, file)), inRepository: true }
    : { path: slashes(file), inRepository: false };
}

/** What a title calls a file: its path; outside the repository the last folder and the name. */
export function titlePath({ path, inRepository }: Pick<SourceSpan, "path" | "inRepository">): string {
  return inRepository ? path : path.split("/").slice(-2).join("/");
}

/** How a message names a file or folder: relative to the workspace with `/`, as it is outside. */
export function shownPath(path: string, workspace: string): string {
  return slashes(isInside(path, workspace) ? relative(workspace, path) || "." : path);
}

/** A span for a whole file. */
export function wholeFile(file: string, workspace: string): SourceSpan {
  return { ...publishedPath(file, workspace), startLine: 1, endLine: 1 };
}

/** Names of files on pages and in messages. */
import { relative, sep } from "node:path";
import { isInside, repositoryRoot } from "./confine.ts";
import type { SourceSpan } from "../domain/location.ts";

/** A path with `/`, on Windows too. */
export function slashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

/** A file's path on published pages: relative to its repository, with `/`; unchanged if it lies outside. */
export function publishedPath(file: string, workspace: string): { path: string; inRepository: boolean } {
  const root = repositoryRoot(file, workspace);
  return isInside(file, root)
    ? { path: slashes(relative(root, file)), inRepository: true }
    : { path: slashes(file), inRepository: false };
}

/** A file's path in titles; outside the repository its last folder and its name. */
export function titlePath({ path, inRepository }: Pick<SourceSpan, "path" | "inRepository">): string {
  return inRepository ? path : path.split("/").slice(-2).join("/");
}

/** A path in messages: relative to the workspace, with `/`; unchanged if it lies outside. */
export function shownPath(path: string, workspace: string): string {
  return slashes(isInside(path, workspace) ? relative(workspace, path) || "." : path);
}

/** A span for a whole file. */
export function wholeFile(file: string, workspace: string): SourceSpan {
  return spanOfFile(publishedPath(file, workspace));
}

/** The span of a whole file, by its published path; a path alone is not in the repository. */
export function spanOfFile(file: Pick<SourceSpan, "path" | "inRepository"> | string): SourceSpan {
  const where = typeof file === "string" ? { path: file, inRepository: false } : file;
  return { ...where, startLine: 1, endLine: 1 };
}

/** Cancellation of a run. */

/**
 * A signal aborted by SIGINT or SIGTERM, which a runner sends when a workflow is cancelled: finished grades are still
 * published. The second signal of a kind ends the process.
 */
export function cancellation(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      controller.abort();
    });
  }
  return controller.signal;
}

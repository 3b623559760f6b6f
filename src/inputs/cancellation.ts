/** How a run is told to end early. */

/**
 * Aborted by SIGINT or SIGTERM, which a runner sends when a workflow is cancelled: what was graded is still published. The
 * second signal of a kind ends the process.
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

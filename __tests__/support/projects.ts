/** Small waza projects for tests: an eval, its tasks and the results of a run, with the parts that matter overridden. */
import { writeProject } from "./run-action.ts";

export interface GraderFixture {
  readonly name: string;
  readonly type?: string;
  readonly weight?: number;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface TaskFixture {
  readonly id: string;
  readonly graders?: readonly GraderFixture[];
  readonly enabled?: boolean;
  readonly golden?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
}

export type RunFixture = Readonly<Record<string, unknown>>;

export interface ProjectFixture {
  readonly name?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly graders?: readonly GraderFixture[];
  readonly tasks?: readonly TaskFixture[];
  /** Runs of each task; a task that is not named has one ordinary run, and one with none is not in the results. */
  readonly runs?: Readonly<Record<string, readonly RunFixture[]>>;
  /** `config.runs_per_test` of the results. */
  readonly runsPerTest?: number;
  /** Further files, and replacements of the above. */
  readonly files?: Readonly<Record<string, unknown>>;
}

export function promptGrader(
  name: string,
  prompt = `Is it right? (${name})`,
  more: Partial<GraderFixture> = {},
): GraderFixture {
  return { type: "prompt", name, ...more, config: { prompt, ...more.config } };
}

/** A run as waza writes it with --skip-graders. */
export function runFixture(overrides: RunFixture = {}): RunFixture {
  return {
    run_number: 1,
    attempts: 1,
    prompt: "Do the task.",
    status: "skipped",
    duration_ms: 1000,
    validations: {},
    session_digest: { tool_call_count: 0, tools_used: [], errors: [] },
    transcript: [],
    final_output: "I did the task.",
    ...overrides,
  };
}

/** A project on disk: eval.yaml, tasks/*.yaml and results.json (JSON is YAML, and keeps the fixtures short). */
export function project(fixture: ProjectFixture = {}): string {
  const tasks = fixture.tasks ?? [{ id: "task-1" }];
  const name = fixture.name ?? "suite";
  const taskFiles = tasks.map((task, index) => [
    `evals/tasks/${String(index + 1).padStart(4, "0")}.yaml`,
    { name: `Task ${task.id}`, inputs: { prompt: "Do the task." }, ...task },
  ]);
  return writeProject({
    "evals/eval.yaml": {
      name,
      config: fixture.config ?? {},
      tasks: ["tasks/*.yaml"],
      graders: fixture.graders ?? [promptGrader("grader-1")],
    },
    ...(Object.fromEntries(taskFiles) as Record<string, unknown>),
    "results.json": resultsFixture(
      name,
      tasks
        .map(({ id }) => ({ id, runs: fixture.runs?.[id] ?? [runFixture()] }))
        .filter(({ runs }) => runs.length > 0),
      "agent-model",
      fixture.runsPerTest,
    ),
    ...fixture.files,
  });
}

export function resultsFixture(
  evalName: string | undefined,
  tasks: readonly { readonly id: string; readonly runs: readonly RunFixture[]; readonly golden?: boolean }[],
  model = "agent-model",
  runsPerTest = 1,
): Record<string, unknown> {
  return {
    eval_id: "eval-1",
    skill: "skill",
    ...(evalName === undefined ? {} : { eval_name: evalName }),
    timestamp: "2026-11-03T14:22:07Z",
    config: { runs_per_test: runsPerTest, model_id: model, engine_type: "mock", timeout_sec: 60 },
    summary: { total_tests: tasks.length, duration_ms: 1000 },
    metrics: {},
    tasks: tasks.map(({ id, ...task }) => ({
      test_id: id,
      display_name: `Task ${id}`,
      status: "skipped",
      ...task,
    })),
  };
}

// The interface of a rehearsal: the engine runs an owner's scripts in one transaction, answers questions before and after
// them, and rolls everything back. visibility/ calls it.
import type { Actor } from '../core/principal.ts'
import type { Answer, SqlError, StatementResult, TenantQuestions } from './engine.ts'
import type { TenantScript } from './sql.ts'

export interface EngineRehearsals {
  /**
   * Runs scripts, asks questions before and after them, and rolls everything back. A script's error is part of the result.
   * @throws {SqlError} 57014 when cancelled, 53300 not begun, 42704 for an unknown role, 22023 for an invalid setting
   */
  rehearse(rehearsal: Rehearsal): Promise<RehearsalResult>
}

/**
 * Scripts of the owner, one after another, as if each ran in its own transaction. Settings end with their script, and deferred
 * constraints are checked after each. Nothing remains, and no row change is reported. Event triggers fire. Sequences that a
 * script advanced get their former values back.
 */
export interface Rehearsal {
  /** The owner of the project. */
  readonly actor: Actor
  /** Settings for each script, as in `TenantWork.settings`. */
  readonly settings: Readonly<Record<string, string>>
  readonly scripts: readonly TenantScript[]
  /** Questions about the state before the first script. */
  readonly before: readonly RehearsalQuestions[]
  /** Questions about the state after the last script. A failed script leaves them unanswered. */
  readonly after: readonly RehearsalQuestions[]
  /** The limit of each script's rows and of each answer, in bytes. Rows beyond the limit are left out. */
  readonly maxResultBytes: number
  /** The wall-clock milliseconds until the engine cancels the rehearsal with SQLSTATE 57014. */
  readonly timeoutMillis: number
  /** Aborting cancels the rehearsal; the promise rejects with SQLSTATE 57014. */
  readonly signal?: AbortSignal | undefined
}

/** Questions that cannot write and do not affect each other or the scripts. */
export interface RehearsalQuestions
  extends Pick<TenantQuestions, 'settings' | 'statement' | 'questions'> {
  readonly role: Actor['role']
}

export interface RehearsalResult {
  /** The scripts that ran. Only the last one can have an error. */
  readonly scripts: readonly RehearsedScript[]
  /** One answer for each question of `Rehearsal.before`, in order. */
  readonly before: readonly Answer[]
  /** One answer for each question of `Rehearsal.after`; empty when a script failed. */
  readonly after: readonly Answer[]
  /** The wall-clock milliseconds inside the engine, without the time in the queue. */
  readonly durationMillis: number
  /** The wall-clock milliseconds of the job that cleaned up after this rehearsal and earlier ones; 0 without such a job. */
  readonly cleanUpMillis: number
}

export interface RehearsedScript {
  /** One result for each statement that was completed. */
  readonly results: readonly StatementResult[]
  /** The error of a statement, or of a deferred constraint after the last statement. */
  readonly error: SqlError | undefined
  /** The wall-clock milliseconds of the script and its deferred constraints. */
  readonly durationMillis: number
}

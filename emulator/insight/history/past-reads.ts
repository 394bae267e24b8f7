// Runs reads of the data plane on the rows as they were at a past instant.
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import {
  cellText,
  SqlError,
  type StatementResult,
  type TenantWork,
  type WorkResult,
} from '../../database/engine.ts'
import type {
  EngineRehearsals,
  RehearsalQuestions,
  RehearsalResult,
} from '../../database/rehearsal.ts'
import { PLAIN_FORMATS } from '../../database/row-reader.ts'
import { type Sql, script, tenantScript } from '../../database/sql.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { type PastDeps, type TakenBackState, takeBackTo } from './past-instant.ts'
import { unrestoredPolicies } from './past-policies.ts'

export interface PastReadDeps extends PastDeps {
  readonly rehearsals: EngineRehearsals
}

const MAX_RESULT_BYTES = 64 << 20

/**
 * Runs prepared statements that only read, each for itself, after taking the later changes back. The results have no fields.
 * @throws {InspectorError} `invalid_request` for an unknown instant, or when its policies cannot be applied
 * @throws {SqlError} of a statement, or when the changes cannot be taken back
 */
export async function readPast(
  deps: PastReadDeps,
  work: TenantWork,
  instant: string,
): Promise<WorkResult> {
  const past = await takeBackTo(deps, work.actor.schemaName, instant)
  const { gaps, result } = await runPast(deps.rehearsals, past, work)
  const [gap] = gaps
  if (gap !== undefined) throw new InspectorError('invalid_request', gap)
  return result
}

/** Runs prepared statements as `readPast` does, on a state that is known. */
export async function runPast(
  rehearsals: EngineRehearsals,
  past: PastState,
  work: TenantWork,
): Promise<Pick<PastAnswers, 'gaps'> & { readonly result: WorkResult }> {
  const { actor, maxResultBytes, settings, signal, statements, timeoutMillis } = work
  const questions = ('text' in statements ? [] : statements).map(
    (statement): RehearsalQuestions => ({
      role: actor.role,
      settings: {},
      statement,
      questions: [{ settings, params: statement.params }],
    }),
  )
  const { answers, durationMillis, gaps } = await askPast(
    rehearsals,
    actor.schemaName,
    past,
    questions,
    {
      maxResultBytes: maxResultBytes ?? MAX_RESULT_BYTES,
      timeoutMillis,
      signal: signal instanceof AbortSignal ? signal : undefined,
    },
  )
  const results = answers.map((answer): StatementResult => {
    if (answer instanceof SqlError) throw answer
    return { fields: [], rows: answer, commandTag: `SELECT ${answer.length}` }
  })
  return { gaps, result: { results, committed: false, notices: [], durationMillis } }
}

type Bounds = Pick<
  Parameters<EngineRehearsals['rehearse']>[0],
  'maxResultBytes' | 'timeoutMillis' | 'signal'
>

export interface PastState extends Pick<TakenBackState, 'restoring' | 'statements'> {
  /** Further statements of the owner, one after another. */
  readonly finishing?: readonly Sql[]
}

export interface PastAnswers {
  readonly answers: RehearsalResult['after']
  /** Sentences: which policies of that time could not be applied. */
  readonly gaps: readonly string[]
  readonly durationMillis: number
}

/**
 * Takes rows back, restores policies, asks, and rolls everything back.
 * @throws {SqlError} when the rows cannot be taken back
 */
export async function askPast(
  rehearsals: EngineRehearsals,
  schemaName: SchemaName,
  { finishing = [], restoring, statements }: PastState,
  questions: readonly RehearsalQuestions[],
  bounds: Bounds,
): Promise<PastAnswers> {
  const back = [...statements, ...restoring, ...finishing]
  const isPast = back.length > 0
  const { after, before, durationMillis, scripts } = await rehearsals.rehearse({
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    settings: { search_path: searchPathOf(schemaName), ...PLAIN_FORMATS },
    scripts: isPast ? [tenantScript(script(back).text)] : [],
    before: isPast ? [] : questions,
    after: isPast ? questions : [],
    ...bounds,
  })
  const ran = scripts.at(-1)
  if (ran?.error !== undefined) throw ran.error
  const restored = restoring.length === 0 ? undefined : ran?.results.at(-1 - finishing.length)
  return {
    answers: isPast ? after : before,
    gaps: unrestoredPolicies(cellText(restored?.rows[0]?.[0])),
    durationMillis,
  }
}

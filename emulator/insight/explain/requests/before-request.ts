// Opens the policies and rows just before a request, from the history of row changes (insight/history). Access chains explain
// requests with them.
import type { JournalEntry } from '../../../contract/journal.ts'
import type { Clock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import { searchPathOf } from '../../../database/as-principal.ts'
import { SqlError } from '../../../database/engine.ts'
import type { EngineRehearsals } from '../../../database/rehearsal.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import type { IdentityDeps } from '../../api-kit/identities.ts'
import { pastEngine } from '../../history/past-engine.ts'
import {
  coversRequest,
  MOST_CHANGES,
  type PastDeps,
  type TakenBackState,
  takeBackTo,
} from '../../history/past-instant.ts'
import { type RecordedChange, readChanges } from '../../history/read-history.ts'
import { type SecuredTable, securedTableQuery } from '../../tables/table.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { createRowQuestions, type RowQuestions } from './row-questions.ts'

/** Why the state is not known, as the rest of a sentence; or the state, which may equal the present one. */
export type RowsBefore =
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'present' }
  | {
      readonly kind: 'past'
      /** The row changes since the request, newest first. */
      readonly changes: readonly RecordedChange[]
      readonly policies: TakenBackState['policies']
      readonly rows: Pick<RowQuestions, 'explain' | 'readsBack'>
      /** Sentences: what is not as it was, in the answers so far. */
      readonly gaps: () => readonly string[]
    }

export interface BeforeRequests {
  /** @throws {SqlError} */
  open(schemaName: SchemaName, request: JournalEntry): Promise<RowsBefore>
}

export interface BeforeRequestDeps extends PastDeps {
  readonly rehearsals: EngineRehearsals
  readonly explain: ExplainDeps
  readonly identities: IdentityDeps
  readonly lifecycle: Pick<Lifecycle, 'listen'>
  readonly wallClock: Clock
  /** Whether this emulator records row changes. */
  readonly isRecorded: boolean
}

export function createBeforeRequests(deps: BeforeRequestDeps): BeforeRequests {
  const { explain, identities, isRecorded, lifecycle, rehearsals, wallClock } = deps
  let replacedAt: EpochMillis | undefined
  lifecycle.listen({
    stateReplaced: () => {
      replacedAt = wallClock.now()
    },
  })
  return {
    open: async (
      schemaName,
      { arrived_at: arrivedAt, received_at: receivedAt, request_id: id },
    ) => {
      if (!isRecorded)
        return { kind: 'unknown', reason: 'this emulator does not record row changes' }
      // The history of the restored state does not contain what happened until then.
      if (replacedAt !== undefined && arrivedAt <= toIso(replacedAt))
        return { kind: 'unknown', reason: 'another state of the platform was restored since' }
      if (!(await coversRequest(deps, schemaName, receivedAt)))
        return { kind: 'unknown', reason: 'the history does not reach back to the request' }
      const past = await takenBack(deps, schemaName, id)
      if ('kind' in past) return past
      const { policies, restoring, state, statements } = past
      if (statements.length + restoring.length + state.gaps.length === 0) return { kind: 'present' }
      const { engine, gaps, reader } = pastEngine(rehearsals, past)
      const findTable: ExplainDeps['findTable'] = (home, name) => pastTable(engine, home, name)
      const ofThen = { ...explain, engine, reader, findTable }
      return {
        kind: 'past',
        rows: createRowQuestions({ explain: ofThen, rehearsals }, identities),
        changes: await laterChanges(deps, schemaName, state.before_sequence),
        policies,
        gaps: () => [...state.gaps, ...gaps],
      }
    },
  }
}

async function laterChanges(
  { engine }: Pick<PastDeps, 'engine'>,
  schemaName: SchemaName,
  from: number,
): Promise<readonly RecordedChange[]> {
  const changes = await readChanges(engine, schemaName, { from, limit: MOST_CHANGES })
  return changes.filter(({ sequence }) => sequence >= from)
}

/** Wall-clock milliseconds. */
const TIME_LIMIT_MILLIS = 15_000

/** Describes a table with its policies and grants of the past, as the owner. @throws {SqlError} */
async function pastTable(
  engine: ExplainDeps['engine'],
  schemaName: SchemaName,
  name: string,
): Promise<SecuredTable | undefined> {
  const { decode, statement } = securedTableQuery(schemaName, name)
  const [answer] = await engine.ask({
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    settings: { search_path: searchPathOf(schemaName) },
    statement,
    questions: [{ settings: {}, params: statement.params }],
    timeoutMillis: TIME_LIMIT_MILLIS,
  })
  if (answer instanceof SqlError) throw answer
  return decode(answer ?? [])
}

async function takenBack(
  deps: PastDeps,
  schemaName: SchemaName,
  requestId: string,
): Promise<TakenBackState | Extract<RowsBefore, { kind: 'unknown' }>> {
  try {
    return await takeBackTo(deps, schemaName, requestId)
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    return { kind: 'unknown', reason: `the history cannot answer: ${error.message}` }
  }
}

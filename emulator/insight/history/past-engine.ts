// An engine and a row reader that answer from a past state. Explanations of requests use them (explain/requests/before-request.ts).
import { ownerRoleOf } from '../../core/names.ts'
import type { Engine } from '../../database/engine.ts'
import type { EngineRehearsals } from '../../database/rehearsal.ts'
import { PLAIN_FORMATS, type RowReader } from '../../database/row-reader.ts'
import { sql } from '../../database/sql.ts'
import type { TakenBackState } from './past-instant.ts'
import { askPast, type PastState, runPast } from './past-reads.ts'

export interface PastEngine {
  /** Runs work that only reads. Results have no fields. */
  readonly engine: Pick<Engine, 'ask' | 'run'>
  /** Reads rows as the owner, to whom no policy applies meanwhile. */
  readonly reader: RowReader
  /** Sentences: which policies could not be applied in the answers so far. */
  readonly gaps: ReadonlySet<string>
}

const MAX_RESULT_BYTES = 64 << 20
/** Wall-clock milliseconds. */
const TIME_LIMIT_MILLIS = 15_000

// The login of a rehearsal cannot become the row reader. The owner bypasses policies that are not forced.
const UNFORCED = sql`do $$
declare
  forced text;
begin
  for forced in
    select oid::pg_catalog.regclass::text from pg_catalog.pg_class
    where relforcerowsecurity and pg_catalog.pg_get_userbyid(relowner) = current_user
  loop
    execute pg_catalog.format('alter table %s no force row level security', forced);
  end loop;
end $$`

/** Each call takes the changes back again, in a transaction of its own. */
export function pastEngine(rehearsals: EngineRehearsals, past: TakenBackState): PastEngine {
  const gaps = new Set<string>()
  const note = <Answer extends { readonly gaps: readonly string[] }>(answer: Answer): Answer => {
    for (const gap of answer.gaps) gaps.add(gap)
    return answer
  }
  const runOn =
    (state: PastState): Engine['run'] =>
    async (work) =>
      note(await runPast(rehearsals, state, work)).result
  const readRows = runOn({ ...past, finishing: [UNFORCED] })
  return {
    engine: {
      run: runOn(past),
      ask: async ({ actor, timeoutMillis, ...group }) => {
        const questions = [{ ...group, role: actor.role }]
        const bounds = { maxResultBytes: MAX_RESULT_BYTES, timeoutMillis }
        return note(await askPast(rehearsals, actor.schemaName, past, questions, bounds)).answers
      },
    },
    reader: {
      read: async (schemaName, statements, options = {}) => {
        const { searchPath = 'pg_catalog, extensions', ...bounds } = options
        const { results } = await readRows({
          actor: { schemaName, role: ownerRoleOf(schemaName) },
          settings: { search_path: searchPath, ...PLAIN_FORMATS },
          mode: 'readOnly',
          statements,
          end: 'rollback',
          timeoutMillis: TIME_LIMIT_MILLIS,
          ...bounds,
        })
        return results
      },
    },
    gaps,
  }
}

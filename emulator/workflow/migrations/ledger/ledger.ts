// The ledger: the table inside a project's schema that records which steps the project has. All SQL of the ledger runs as the
// owner's script through db/exec (docs/wire/platform.md#db-exec), so it also works on the hosted platform. A clone has the
// structure and comments of its template, but no rows. The table's comment therefore repeats the list of steps, which is read
// when there are no rows. Pure.
import type { JsonObject } from '../../../core/json.ts'
import { LEDGER_TABLE } from '../../../core/names.ts'
import { quoteLiteral } from '../../../database/sql.ts'
import { keepNothing } from '../redo/kept-rows.ts'
import type { AppliedStep } from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'

export interface Ledger {
  readonly applied: readonly AppliedStep[]
  /** Where `applied` was found: in the rows, or only in the comment. `none` means that the table does not exist. */
  readonly source: 'rows' | 'comment' | 'none'
}

export const NO_LEDGER: Ledger = { applied: [], source: 'none' }

/** A limit above the number of steps in any ledger. Without a limit, db/exec returns 1,000 rows. */
const MAX_STEPS = 100_000

/** Reads the ledger. Fails with SQLSTATE 42P01 when the project has no ledger. */
export const READ_LEDGER: string = `select m.version, m.name, m.checksum, m.statements_done,
  to_char(m.applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as applied_at,
  case when m.version is null then obj_description('${LEDGER_TABLE}'::regclass, 'pg_class') end as comment
from (values (1)) as one left join ${LEDGER_TABLE} as m on true
order by m.version limit ${MAX_STEPS}`

/** SQLSTATE of `READ_LEDGER` in a project without a ledger. */
export const UNDEFINED_TABLE = '42P01'

/** Converts the rows of `READ_LEDGER`. */
export function ledgerOfRows(rows: readonly JsonObject[]): Ledger {
  const kept = rows.flatMap((row) => appliedOf(row) ?? [])
  if (kept.length > 0) return { applied: kept, source: 'rows' }
  const comment = rows[0]?.['comment']
  return { applied: typeof comment === 'string' ? readComment(comment) : [], source: 'comment' }
}

function appliedOf({
  applied_at,
  checksum,
  name,
  statements_done,
  version,
}: JsonObject): AppliedStep | undefined {
  if (typeof version !== 'string' || typeof name !== 'string' || typeof checksum !== 'string')
    return undefined
  return {
    version,
    name,
    checksum,
    applied_at: typeof applied_at === 'string' ? applied_at : null,
    statements_done: typeof statements_done === 'number' ? statements_done : null,
  }
}

const COMMENT_HEAD = 'Migration steps of this project, written by tenantry migrate:'
const COMMENT_LINE = /^(\d{14}) ([0-9a-f]{64}) ([A-Za-z0-9_-]+)(?: (\d+))?$/gm

/** Reads the ledger from the comment of its table. Returns `undefined` when the owner replaced the comment. */
export function ledgerOfComment(comment: string | undefined): Ledger | undefined {
  return comment?.startsWith(COMMENT_HEAD) === true
    ? { applied: readComment(comment), source: 'comment' }
    : undefined
}

function readComment(comment: string): readonly AppliedStep[] {
  return [...comment.matchAll(COMMENT_LINE)].map(
    ([, version = '', checksum = '', name = '', done]) => ({
      version,
      name,
      checksum,
      applied_at: null,
      statements_done: done === undefined ? null : Number(done),
    }),
  )
}

function commentOf(applied: readonly AppliedStep[]): string {
  const lines = applied
    .toSorted((a, b) => (a.version < b.version ? -1 : 1))
    .map(
      ({ checksum, name, statements_done, version }) =>
        `${version} ${checksum} ${name}${statements_done === null ? '' : ` ${statements_done}`}`,
    )
  return [COMMENT_HEAD, ...lines].join('\n')
}

/**
 * Returns SQL that creates the ledger if it does not exist. In a clone, the SQL also writes the rows that only the comment
 * contains. The SQL is on one line, so that it does not change the line numbers of the step that follows.
 */
function prepareLedger({ applied, source }: Ledger): string {
  if (source === 'rows') return ''
  const created = [
    `create table if not exists ${LEDGER_TABLE} (version text primary key, name text not null, checksum text not null, applied_at timestamptz not null default now(), statements_done integer);`,
    `alter table ${LEDGER_TABLE} enable row level security;`,
    `revoke all on ${LEDGER_TABLE} from anon, authenticated, service_role;`,
  ]
  return [...(source === 'none' ? created : []), ...applied.map(insertOf)].join(' ')
}

function insertOf({ checksum, name, statements_done, version }: AppliedStep): string {
  const values = [version, name, checksum].map(quoteLiteral).join(', ')
  return `insert into ${LEDGER_TABLE} (version, name, checksum, statements_done) values (${values}, ${statements_done ?? 'null'});`
}

function commentOn(applied: readonly AppliedStep[]): string {
  const text = quoteLiteral(commentOf(applied)).trim()
  // Line breaks in the comment are escaped, because they would change the line numbers of the step.
  return `comment on table ${LEDGER_TABLE} is E${text.replace(/^E/, '').replaceAll('\n', '\\n')};`
}

/** The entry that a whole step, or one of its statements, writes to the ledger. */
export interface LedgerEntry {
  readonly step: Step
  /** Checksum of the whole step, or of the part that has run when the entry's transaction ends. */
  readonly checksum: string
  /** Number of statements that have run when the entry's transaction ends; `null` when the step is complete. */
  readonly statementsDone: number | null
  /** Number of statements that ran before the entry's transaction; 0 for a new step. */
  readonly doneBefore: number
}

/** Returns the entry of a step that runs completely. */
export function wholeEntry(step: Step): LedgerEntry {
  return { step, checksum: step.checksum, statementsDone: null, doneBefore: 0 }
}

/**
 * Returns SQL on one line that records an entry. The SQL goes before the step's text in the same transaction. When two runs
 * write the same entry, the second run waits for the first. It then fails without running the step, because of the primary key
 * or the condition on `statements_done`.
 */
export function recordEntry(ledger: Ledger, entry: LedgerEntry): string {
  const { step, checksum, doneBefore, statementsDone } = entry
  const applied = appliedBy(entry)
  const others = ledger.applied.filter(({ version }) => version !== step.version)
  const version = quoteLiteral(step.version)
  const write =
    doneBefore === 0
      ? insertOf(applied)
      : `do $tenantry$ begin update ${LEDGER_TABLE} set checksum = ${quoteLiteral(checksum)}, statements_done = ${statementsDone ?? 'null'}, applied_at = now() where version = ${version} and statements_done = ${doneBefore}; if not found then raise unique_violation using message = 'another run has continued this step'; end if; end $tenantry$;`
  return [prepareLedger(ledger), write, commentOn([...others, applied])].filter(Boolean).join(' ')
}

/**
 * Works like `prepareLedger`. Also records that the steps of a clone keep no rows, because a clone has no rows of its template.
 */
export function adoptClone(ledger: Ledger): string {
  return [prepareLedger(ledger), ...(ledger.source === 'comment' ? [keepNothing()] : [])].join(' ')
}

/**
 * Returns SQL on one line that replaces the ledger's entries by these entries. An entry that stays keeps the time at which its
 * step ran.
 */
export function rewriteLedger(ledger: Ledger, entries: readonly AppliedStep[]): string {
  const versions = entries.map(({ version }) => quoteLiteral(version)).join(', ')
  const write = entries.map(
    (entry) =>
      `${insertOf(entry).slice(0, -1)} on conflict (version) do update set name = excluded.name, checksum = excluded.checksum, statements_done = excluded.statements_done;`,
  )
  return [
    adoptClone(ledger),
    `delete from ${LEDGER_TABLE}${versions === '' ? '' : ` where version not in (${versions})`};`,
    ...write,
    commentOn(entries),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns the ledger after an entry was recorded. */
export function ledgerAfter(ledger: Ledger, entry: LedgerEntry): Ledger {
  const others = ledger.applied.filter(({ version }) => version !== entry.step.version)
  return { applied: [...others, appliedBy(entry)], source: 'rows' }
}

function appliedBy({ checksum, statementsDone, step }: LedgerEntry): AppliedStep {
  const { name, version } = step
  return { version, name, checksum, applied_at: null, statements_done: statementsDone }
}

// The policies, row-level security and grants of a past instant. The history keeps the former ones with each change
// (tenant-schema/cluster/shared/34-history.sql), and the owner restores them in the transaction that reads the past.
import { z } from 'zod'
import { parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import {
  identifier,
  join,
  literal,
  readScript,
  type Sql,
  script,
  sql,
  verbatim,
} from '../../database/sql.ts'

interface Policy {
  readonly name: string
  readonly permissive: boolean
  readonly command: 'all' | 'select' | 'insert' | 'update' | 'delete'
  /** Names of roles, quoted where necessary; `public` means every role. */
  readonly roles: readonly string[]
  /** Expressions in the format of Postgres. */
  readonly using: string | null
  readonly check: string | null
}

interface Grant {
  readonly role: string
  readonly privilege: string
  /** The column of a grant on a single column. */
  readonly column: string | null
  readonly isGrantable: boolean
}

/** What decides who may do what with a table: the answer of platform.policies_of(). */
interface TablePolicies {
  readonly isEnabled: boolean
  readonly isForced: boolean
  readonly policies: readonly Policy[]
  readonly grants: readonly Grant[]
}

const tablePolicies: z.ZodType<TablePolicies> = z.object({
  isEnabled: z.boolean(),
  isForced: z.boolean(),
  policies: z.array(
    z.object({
      name: z.string(),
      permissive: z.boolean(),
      command: z.enum(['all', 'select', 'insert', 'update', 'delete']),
      roles: z.array(z.string()),
      using: z.string().nullable(),
      check: z.string().nullable(),
    }),
  ),
  grants: z.array(
    z.object({
      role: z.string(),
      privilege: z.string(),
      column: z.string().nullable(),
      isGrantable: z.boolean(),
    }),
  ),
})

/** A table whose policies or grants changed since the instant. */
export interface ChangedPolicies {
  readonly table: string
  /** ISO 8601 UTC, of the first change since. */
  readonly at: string
  readonly requestId: string | undefined
  /** Whether the change was noticed some time after it happened. */
  readonly isLate: boolean
  readonly former: TablePolicies
  readonly present: TablePolicies
}

export interface PoliciesSince {
  readonly changed: readonly ChangedPolicies[]
  /** Names of tables whose policies at the instant are not known. */
  readonly unknown: readonly string[]
}

/** Returns the tables whose policies changed from the sequence on. @throws {SqlError} */
export async function policiesSince(
  engine: Pick<Engine, 'admin'>,
  schemaName: SchemaName,
  from: number,
): Promise<PoliciesSince> {
  const project = sql`(select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)})`
  const start = sql`${literal(String(from))}::bigint`
  const results = await engine.admin(
    schemaName,
    readScript([
      sql`select relation.relname, entry.kind, pg_catalog.to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  nullif(entry.request_id, ''), entry.row, platform.policies_of(relation.oid)
from (
  select distinct on (relation) * from platform.history_entries
  where id >= ${start} and kind in ('P', 'Q')
    and relation in (select relation from platform.history_policies where project = ${project})
  order by relation, id
) as entry
join pg_catalog.pg_class as relation on relation.oid = entry.relation
order by relation.relname`,
      sql`select relation.relname from platform.history_policies as known
join pg_catalog.pg_class as relation on relation.oid = known.relation
where known.project = ${project} and known.since > ${start}
  and known.relation in (select relation from platform.history_tables where since <= ${start})
order by relation.relname`,
    ]),
  )
  const [changed, unknown] = results.slice(-2)
  return {
    changed: (changed?.rows ?? []).map((row) => changedOf(row.map(cellText))).filter(isChanged),
    unknown: (unknown?.rows ?? []).map(([name]) => cellText(name) ?? ''),
  }
}

function changedOf([table = '', kind, at = '', requestId, former = '', present = '']: readonly (
  | string
  | undefined
)[]): ChangedPolicies {
  const read = (text: string) => tablePolicies.parse(parseJson(text))
  return {
    table,
    at,
    requestId,
    isLate: kind === 'Q',
    former: read(former),
    present: read(present),
  }
}

const isChanged = ({ former, isLate, present }: ChangedPolicies): boolean =>
  isLate || JSON.stringify(present) !== JSON.stringify(former)

/** Says which policies are uncertain, in sentences. */
export function policyGaps({ changed, unknown }: PoliciesSince): readonly string[] {
  return [
    ...unknown.map(
      (table) =>
        `The policies of ${table} at that time are not known. The present ones are applied.`,
    ),
    ...changed
      .filter(({ isLate }) => isLate)
      .map(
        ({ at, table }) =>
          `The policies of ${table} changed at an unknown time before ${at}. The former ones are applied.`,
      ),
  ]
}

/** A transaction's setting that collects what could not be restored: lines of table, tab and message. */
const UNRESTORED = 'tenantry.unrestored'
const ROLES = ['public', 'anon', 'authenticated', 'service_role']

/**
 * Writes the owner's statements that restore the policies. A failure leaves a table with its present ones. The last statement
 * returns the text for `unrestoredPolicies`.
 */
export function restorePolicies(
  schemaName: string,
  changed: readonly ChangedPolicies[],
): readonly Sql[] {
  if (changed.length === 0) return []
  return [
    ...changed.map((each) => attempt(each.table, restore(schemaName, each))),
    sql`select pg_catalog.current_setting(${literal(UNRESTORED)}, true)`,
  ]
}

/** Says which policies could not be restored, in sentences. @param text of the last statement of `restorePolicies` */
export function unrestoredPolicies(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [table = '', message = ''] = line.split('\t')
      return `The policies of ${table} at that time cannot be applied: ${message}. The present ones are applied.`
    })
}

function attempt(table: string, statements: readonly Sql[]): Sql {
  const body = `begin
${script(statements).text};
exception when others then
  perform pg_catalog.set_config('${UNRESTORED}', pg_catalog.concat(pg_catalog.current_setting('${UNRESTORED}', true), ${literal(table).text}, e'\\t',
    pg_catalog.replace(pg_catalog.replace(sqlerrm, e'\\n', ' '), e'\\t', ' '), e'\\n'), true);
end`
  return sql`do ${literal(body)}`
}

function restore(schemaName: string, { former, present, table }: ChangedPolicies): readonly Sql[] {
  const name = identifier(schemaName, table)
  const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const kept = former.policies.filter((policy) =>
    present.policies.some((own) => isEqual(own, policy)),
  )
  return [
    ...present.policies
      .filter((policy) => !kept.some((own) => own.name === policy.name))
      .map((policy) => sql`drop policy ${identifier(policy.name)} on ${name}`),
    ...former.policies
      .filter((policy) => !kept.includes(policy))
      .map((policy) => createPolicy(name, policy)),
    verbatimAlter(name, former.isEnabled ? 'enable' : 'disable'),
    verbatimAlter(name, former.isForced ? 'force' : 'no force'),
    ...(isEqual(present.grants, former.grants) ? [] : grants(name, former.grants)),
  ]
}

function verbatimAlter(table: Sql, change: string): Sql {
  return sql`alter table ${table} ${verbatim(change)} row level security`
}

function createPolicy(table: Sql, { check, command, name, permissive, roles, using }: Policy): Sql {
  return sql`create policy ${identifier(name)} on ${table} as ${verbatim(permissive ? 'permissive' : 'restrictive')} for ${verbatim(command)}
to ${roleList(roles)}${using === null ? sql`` : sql` using (${verbatim(using)})`}${check === null ? sql`` : sql` with check (${verbatim(check)})`}`
}

function grants(table: Sql, held: readonly Grant[]): readonly Sql[] {
  return [
    sql`revoke all on ${table} from ${roleList(ROLES)}`,
    ...held.map(
      ({ column, isGrantable, privilege, role }) =>
        sql`grant ${verbatim(privilege)}${column === null ? sql`` : sql` (${identifier(column)})`} on ${table} to ${roleList([role])}${isGrantable ? sql` with grant option` : sql``}`,
    ),
  ]
}

// Postgres wrote the names, quoted where necessary (regrole).
function roleList(roles: readonly string[]): Sql {
  return join(roles.map((role) => verbatim(role)))
}

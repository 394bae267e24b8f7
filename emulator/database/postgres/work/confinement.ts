// Finds out whether questions read another relation than the permitted one (engine.ts, `onlyRelation`). A server has no hook for
// each relation that is opened, so this module searches query plans and functions. The plan shows relations of subqueries,
// policies, views and inlined functions. The source texts show relations of functions that run as the caller. Names that SQL
// composes at run time are not found.
import { BEYOND_RELATION, cellText, SqlError, type TenantQuestions } from '../../engine.ts'
import type { SqlParam } from '../../sql.ts'
import { parseBackendMessages } from '../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import { afterCompletions } from './after-completions.ts'
import { appendBeginning, type Settings } from './settings.ts'

/** The error of questions that read another relation. */
export function beyondError(): SqlError {
  const message = 'permission denied: in realtime a policy reads no table but its own'
  return new SqlError('42501', message, { routine: BEYOND_RELATION })
}

// Reads the relation with its partitions, the sources of reachable functions, and the other relations that these functions name
// or depend on. A security-definer function ends the search, because such a function reads with its owner's rights.
// cspell:ignore inhparent inhrelid prosecdef prosrc
const FACTS = `with recursive family as (
  select $1::pg_catalog.oid as oid
  union
  select child.inhrelid from pg_catalog.pg_inherits as child join family on child.inhparent operator(pg_catalog.=) family.oid
), home as (
  select relnamespace as oid from pg_catalog.pg_class where oid operator(pg_catalog.=) $1::pg_catalog.oid
), reached as (
  select p.oid, p.prosrc, p.prosecdef
  from pg_catalog.pg_proc as p join home on p.pronamespace operator(pg_catalog.=) home.oid
  where pg_catalog.strpos($2, pg_catalog.concat(p.proname, '(')) operator(pg_catalog.>) 0
    or pg_catalog.strpos($2, pg_catalog.concat(p.proname, '"(')) operator(pg_catalog.>) 0
    or (pg_catalog.row_security_active($1::pg_catalog.oid) and exists (
      select from pg_catalog.pg_depend as d
      join pg_catalog.pg_policy as policy on policy.oid operator(pg_catalog.=) d.objid
      where d.classid operator(pg_catalog.=) 'pg_catalog.pg_policy'::pg_catalog.regclass
        and d.refclassid operator(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
        and d.refobjid operator(pg_catalog.=) p.oid and policy.polrelid operator(pg_catalog.=) $1::pg_catalog.oid
        and policy.polcmd in ('r', '*')))
  union
  select p.oid, p.prosrc, p.prosecdef
  from reached
  join home on not reached.prosecdef
  join pg_catalog.pg_proc as p on p.pronamespace operator(pg_catalog.=) home.oid
  where pg_catalog.strpos(reached.prosrc, p.proname::pg_catalog.text) operator(pg_catalog.>) 0
    or exists (
      select from pg_catalog.pg_depend as d
      where d.classid operator(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
        and d.objid operator(pg_catalog.=) reached.oid
        and d.refclassid operator(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
        and d.refobjid operator(pg_catalog.=) p.oid)
), callers as (
  select oid, prosrc from reached where not prosecdef
)
select 'family', n.nspname, c.relname
from family
join pg_catalog.pg_class as c on c.oid operator(pg_catalog.=) family.oid
join pg_catalog.pg_namespace as n on n.oid operator(pg_catalog.=) c.relnamespace
union all
select 'source', null, prosrc from callers
union all
select case when dependent.objid is null then 'named' else 'read' end, null, c.relname
from pg_catalog.pg_class as c
join home on c.relnamespace operator(pg_catalog.=) home.oid
left join lateral (
  select d.objid from pg_catalog.pg_depend as d join callers on callers.oid operator(pg_catalog.=) d.objid
  where d.classid operator(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
    and d.refclassid operator(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
    and d.refobjid operator(pg_catalog.=) c.oid
  limit 1) as dependent on true
where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.oid not in (select oid from family)
  and (dependent.objid is not null or exists (
    select from callers
    where pg_catalog.strpos(callers.prosrc, c.relname::pg_catalog.text) operator(pg_catalog.>) 0))`

/** Whether the questions read another relation. Returns false when the check fails, because the questions then fail, too. */
export async function readsBeyond(
  connection: ServerConnection,
  { statement: { text } }: TenantQuestions,
  relation: number,
  settings: Settings,
  params: readonly SqlParam[],
): Promise<boolean> {
  const messages = new FrontendMessages()
  const skipped = appendBeginning(messages, connection, settings)
  messages.statement(`explain (verbose, costs off, format json) ${text}`, params)
  connection.prepared.append(messages, '', { text: FACTS, params: [String(relation), text] })
  const bytes = await connection.exchange(messages.sync().bytes())
  const from = afterCompletions(bytes, skipped)
  if (from === undefined) return false
  const { error, results } = parseBackendMessages(bytes.subarray(from))
  const [explained, facts] = results
  const plan = cellText(explained?.rows[0]?.[0]) ?? 'null'
  // Questions that try to write fail later, with their own error.
  if (error !== undefined || plan.includes('"ModifyTable"')) return false
  const found = (facts?.rows ?? []).map(([kind, schema, value]) => ({
    kind: cellText(kind),
    schema: cellText(schema),
    text: cellText(value) ?? '',
  }))
  const valuesOf = (kind: string) => found.filter((fact) => fact.kind === kind)
  const family = new Set(valuesOf('family').map(({ schema, text }) => `${schema}.${text}`))
  if (valuesOf('read').length > 0) return true
  if (relationsOf(plan).some((name) => !family.has(name))) return true
  const names = valuesOf('named').map(({ text }) => text)
  return valuesOf('source').some((source) => names.some((name) => readsFrom(source.text, name)))
}

/** Returns the relations of a plan in JSON format as `schema.relation`, without the platform's catalogues. */
function relationsOf(plan: string): readonly string[] {
  const names: string[] = []
  JSON.parse(plan, (_key, node: unknown) => {
    if (typeof node !== 'object' || node === null || !('Relation Name' in node)) return node
    const schema = 'Schema' in node ? String(node['Schema']) : ''
    if (!PLATFORM.has(schema)) names.push(`${schema}.${node['Relation Name']}`)
    return node
  })
  return names
}

const PLATFORM: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema'])

/** Whether a source text names the relation where SQL names what it reads. */
function readsFrom(source: string, relation: string): boolean {
  const name = relation.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const qualifier = String.raw`(?:(?:"[^"]+"|\w+)\s*\.\s*)?`
  return new RegExp(
    String.raw`(?:\b(?:from|join|table|only)\s+|,\s*)${qualifier}"?${name}"?(?![\w"])`,
    'i',
  ).test(source)
}

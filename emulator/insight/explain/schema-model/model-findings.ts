// Finds risks that follow from how the objects of a schema work together. Examples are policies that realtime cannot judge,
// policies that call each other, foreign keys under policies without an index, unlogged tables. `migrate lint` and the audit
// report them. Pure.
import type { Exposure } from '../policies/exposure.ts'
import { recursionsOf } from './recursion.ts'
import { joined, type References } from './references.ts'
import type { ModelKey, ModelPolicy, ModelTable, SchemaModel } from './schema-model.ts'

export interface ModelFinding extends Exposure {
  /** Identifies the finding. The same finding in another state of the schema has the same key. */
  readonly key: string
  /** e.g. `policy team on notes` */
  readonly object: string
  readonly table: string
  /** The policy whose comment can accept the finding. */
  readonly policy: string | undefined
  /** A lookup that has no index. */
  readonly lookup?: Lookup
}

export interface Lookup {
  readonly table: string
  readonly columns: readonly string[]
}

export function modelFindings(model: SchemaModel): readonly ModelFinding[] {
  return [...recursions(model), ...unjudged(model), ...lookups(model), ...unlogged(model)]
}

const DEFINER = 'LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT'

function recursions(model: SchemaModel): readonly ModelFinding[] {
  return recursionsOf(model).flatMap(({ code, command, links }) => {
    const [first] = links
    if (first === undefined) return []
    const { policy, table } = first
    const way = links.map(
      ({ policy: name, reads, table: from, through }) =>
        `${name} on ${from} reads ${[...through.map((one) => `${one}, which reads `), reads].join('')}`,
    )
    const circle = links
      .map((link) => `${link.table} ${link.policy}`)
      .toSorted()
      .join()
    return [
      {
        rule: 'policy-recursion' as const,
        severity: 'error' as const,
        key: `policy-recursion ${circle}`,
        object: `policy ${policy} on ${table}`,
        table,
        policy,
        message: `Policies lead back to themselves, so ${command} on ${table} fails with ${code}: ${way.join('; ')}.`,
        safer: `Read ${first.reads} in a function that the policy calls: CREATE FUNCTION … RETURNS boolean ${DEFINER} AS …`,
      },
    ]
  })
}

function unjudged(model: SchemaModel): readonly ModelFinding[] {
  return [...model.policies.values()].flatMap((policy) => {
    const { command, name, roles, table, using } = policy
    const isForReaders = command === 'all' || command === 'select'
    if (!isForReaders || roles.every((role) => role === 'service_role')) return []
    const others = callerReads(model, using).filter((one) => one !== table)
    if (others.length === 0) return []
    return [
      {
        rule: 'realtime-cannot-judge' as const,
        severity: 'warning' as const,
        key: `realtime-cannot-judge ${table} ${name}`,
        object: `policy ${name} on ${table}`,
        table,
        policy: name,
        message: `The policy ${name} on ${table} reads ${others.join(', ')}. REST shows the rows, but realtime treats the policy as false and sends no changes.`,
        safer: `Read ${others.join(', ')} in a function that the policy calls: CREATE FUNCTION … RETURNS boolean ${DEFINER} AS …`,
      },
    ]
  })
}

/** Returns the relations that SQL reads with its caller's rights, also inside functions without SECURITY DEFINER. */
function callerReads(
  { functions, tables }: SchemaModel,
  references: References,
): readonly string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const visit = (one: References): void => {
    // Leaves out catalogues, because every role may read them.
    for (const name of one.relations)
      if (tables.has(name) || !name.startsWith('pg_')) found.add(name)
    for (const name of one.functions) {
      const called = functions.get(name)
      if (called === undefined || called.isDefiner || seen.has(name)) continue
      seen.add(name)
      visit(called.references)
    }
  }
  visit(references)
  return [...found]
}

function lookups(model: SchemaModel): readonly ModelFinding[] {
  const policies = [...model.policies.values()].map((policy) => ({
    policy,
    names: withCalled(model, joined(policy.using, policy.check)),
  }))
  return [...model.tables.values()].flatMap((table) =>
    table.foreignKeys.flatMap((key) => {
      const policy = isIndexed(table, key) ? undefined : policyThatCompares(policies, table, key)
      return policy === undefined ? [] : [lookupFinding(table, key, policy)]
    }),
  )
}

/** Whether an index begins with the key's columns, in any order. */
function isIndexed({ indexes }: ModelTable, { columns }: ModelKey): boolean {
  return indexes.some((index) => {
    const first = new Set(index.slice(0, columns.length))
    return columns.every((name) => first.has(name))
  })
}

interface NamingPolicy {
  readonly policy: ModelPolicy
  /** The names that occur in the policy and in the functions that it calls. */
  readonly names: References
}

/** Returns a policy that compares the key's columns, preferably one of the table itself. */
function policyThatCompares(
  policies: readonly NamingPolicy[],
  { hasRowSecurity, name }: ModelTable,
  { columns }: ModelKey,
): ModelPolicy | undefined {
  const comparing = policies.filter(
    ({ names, policy }) =>
      (policy.table === name || names.relations.has(name)) &&
      columns.every((column) => names.columns.has(column)),
  )
  const own = comparing.find(({ policy }) => hasRowSecurity && policy.table === name)
  return (own ?? comparing[0])?.policy
}

/** Adds the names that occur in the called functions. */
function withCalled({ functions }: SchemaModel, references: References): References {
  const seen = new Set<string>()
  const all = [references]
  for (const one of all)
    for (const name of one.functions) {
      const called = functions.get(name)
      if (called === undefined || seen.has(name)) continue
      seen.add(name)
      all.push(called.references)
    }
  return joined(...all)
}

function lookupFinding(
  { name: table }: ModelTable,
  { columns }: ModelKey,
  { name: policy, table: judged }: ModelPolicy,
): ModelFinding {
  const list = columns.join(', ')
  return {
    rule: 'unindexed-foreign-key',
    severity: 'warning',
    key: `unindexed-foreign-key ${table} ${list}`,
    object: `table ${table}`,
    table,
    policy: undefined,
    message: `The policy ${policy} on ${judged} compares the foreign key ${table} (${list}), which has no index, so each comparison reads all rows of ${table}.`,
    safer: `CREATE INDEX ON ${table} (${list});`,
    lookup: { table, columns },
  }
}

function unlogged({ tables }: SchemaModel): readonly ModelFinding[] {
  return [...tables.values()]
    .filter(({ isUnlogged }) => isUnlogged)
    .map(({ name }) => ({
      rule: 'unlogged-table',
      severity: 'warning',
      key: `unlogged-table ${name}`,
      object: `table ${name}`,
      table: name,
      policy: undefined,
      message: `The table ${name} is unlogged: it is empty after a crash of the server.`,
      safer: `ALTER TABLE ${name} SET LOGGED;`,
    }))
}

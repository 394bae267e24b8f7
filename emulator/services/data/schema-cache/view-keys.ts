// Finds the table column behind each view column, from the view's parse tree. With these columns, views get the primary and
// foreign keys of their tables (PostgREST, "Foreign Key Joins on Views"). Pure.
import type { QualifiedName } from '../settings.ts'
import type { ForeignKey } from './relationships.ts'
import { type ColumnPairs, keyOf } from './schema-cache.ts'

/** A view, or a relation that a view reads. */
export interface ReachedRelation extends QualifiedName {
  readonly oid: string
  /** Column names by attribute number. */
  readonly columns: ReadonlyMap<string, string>
  readonly keyColumns: readonly string[]
  /** Parse tree of the view's rule, as text; `undefined` for a table. */
  readonly rule: string | undefined
}

/** Which columns of a view show which columns of one table. A view may show the same column several times. */
interface ViewOrigin {
  readonly view: QualifiedName
  readonly table: ReachedRelation
  readonly shown: ReadonlyMap<string, readonly string[]>
}

export interface ViewKeys {
  /** Primary key columns of each view, by the view's key. */
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>
  /** The given foreign keys, and the foreign keys derived for views. */
  readonly foreignKeys: readonly ForeignKey[]
}

/** @param searched the schemas whose views get keys */
export function viewKeysOf(
  relations: readonly ReachedRelation[],
  foreignKeys: readonly ForeignKey[],
  searched: ReadonlySet<string>,
): ViewKeys {
  const origins = originsOf(
    relations.map((each) => (searched.has(each.schema) ? each : { ...each, rule: undefined })),
  )
  const byTable = Map.groupBy(origins, ({ table }) => keyOf(table))
  const primaryKeys = new Map<string, readonly string[]>()
  for (const { view, table, shown } of origins) {
    const columns = table.keyColumns.map((column) => shown.get(column)?.[0])
    if (!columns.every((column) => column !== undefined)) continue
    primaryKeys.set(keyOf(view), [...(primaryKeys.get(keyOf(view)) ?? []), ...columns])
  }
  return {
    primaryKeys,
    foreignKeys: foreignKeys.flatMap((key) => [key, ...shownBy(byTable, key)]),
  }
}

function shownBy(
  byTable: ReadonlyMap<string, readonly ViewOrigin[]>,
  key: ForeignKey,
): readonly ForeignKey[] {
  const { columns } = key
  const own = (byTable.get(keyOf(key.table)) ?? []).flatMap((origin) =>
    renamings(origin, columns, 0).map((names) => ({
      ...key,
      ...pairUp('own', origin, names, key),
    })),
  )
  const foreign = [key, ...own].flatMap((each) =>
    (byTable.get(keyOf(key.foreignTable)) ?? []).flatMap((origin) =>
      renamings(origin, columns, 1).map((names) => ({
        ...each,
        ...pairUp('foreign', origin, names, each),
      })),
    ),
  )
  return [...own, ...foreign]
}

function pairUp(
  side: 'own' | 'foreign',
  { view }: ViewOrigin,
  names: readonly string[],
  key: ForeignKey,
): Partial<ForeignKey> {
  const columns: ColumnPairs = key.columns.map(([own, foreign], index) =>
    side === 'own' ? [names[index] ?? own, foreign] : [own, names[index] ?? foreign],
  )
  return side === 'own' ? { table: view, columns } : { foreignTable: view, columns }
}

// Returns all combinations of view columns that show the whole key. Returns an empty list if the view omits a column of the
// key.
function renamings(
  { shown }: ViewOrigin,
  columns: ColumnPairs,
  side: 0 | 1,
): readonly (readonly string[])[] {
  return columns.reduce<readonly (readonly string[])[]>(
    (found, pair) =>
      found.flatMap((names) => (shown.get(pair[side]) ?? []).map((name) => [...names, name])),
    [[]],
  )
}

type Sources = ReadonlyMap<string, { readonly table: ReachedRelation; readonly column: string }>

function originsOf(relations: readonly ReachedRelation[]): readonly ViewOrigin[] {
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]))
  const known = new Map<string, Sources>()
  return relations
    .filter(({ rule }) => rule !== undefined)
    .flatMap((view) => {
      const shown = new Map<ReachedRelation, Map<string, string[]>>()
      for (const [name, { table, column }] of sourcesOf(view, byOid, known)) {
        const columns = shown.get(table) ?? new Map<string, string[]>()
        columns.set(column, [...(columns.get(column) ?? []), name])
        shown.set(table, columns)
      }
      return [...shown].map(([table, columns]) => ({ view, table, shown: columns }))
    })
}

// Follows views that read other views, down to the tables.
function sourcesOf(
  view: ReachedRelation,
  byOid: ReadonlyMap<string, ReachedRelation>,
  known: Map<string, Sources>,
): Sources {
  const before = known.get(view.oid)
  if (before !== undefined) return before
  const sources = new Map<string, { table: ReachedRelation; column: string }>()
  known.set(view.oid, sources)
  for (const { position, oid, attribute } of targetsOf(view.rule ?? '')) {
    const name = view.columns.get(position)
    const relation = byOid.get(oid)
    const column = relation?.columns.get(attribute)
    if (name === undefined || relation === undefined || column === undefined) continue
    const source =
      relation.rule === undefined
        ? { table: relation, column }
        : sourcesOf(relation, byOid, known).get(column)
    if (source !== undefined) sources.set(name, source)
  }
  return sources
}

interface Target {
  readonly position: string
  readonly oid: string
  readonly attribute: string
}

const TARGET_LIST = ':targetList '
// Nesting depths in the parse tree: list of queries, query, target list, target entry.
const QUERY_DEPTH = 2
const ENTRY_DEPTH = QUERY_DEPTH + 2

/** Returns the entries of a rule's outermost target list. Ignores the target lists of subqueries. */
function targetsOf(rule: string): readonly Target[] {
  const entries: string[] = []
  let depth = 0
  let isInList = false
  let own = ''
  for (let at = 0; at < rule.length; at++) {
    const char = rule[at] ?? ''
    if (char === '\\') {
      at++
      continue
    }
    if (depth === QUERY_DEPTH && char === ':') isInList = rule.startsWith(TARGET_LIST, at)
    if (char === '{' || char === '(') depth++
    else if (char === '}' || char === ')') {
      if (isInList && depth === ENTRY_DEPTH) {
        entries.push(own)
        own = ''
      }
      depth--
    } else if (isInList && depth === ENTRY_DEPTH) own += char
  }
  return entries.flatMap(targetOf)
}

function targetOf(entry: string): readonly Target[] {
  const value = (name: string) => new RegExp(` ?:${name} (\\d+)`).exec(entry)?.[1]
  const [position, oid, attribute] = [value('resno'), value('resorigtbl'), value('resorigcol')]
  if (position === undefined || oid === undefined || attribute === undefined) return []
  return oid === '0' ? [] : [{ position, oid, attribute }]
}

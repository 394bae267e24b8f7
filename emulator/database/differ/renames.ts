// Applies the renames that a caller states, and finds pairs that may be renames. Pure.
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import { quoteIdentifier } from '../sql.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { type Draft, draft, type Rename } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable } from './objects.ts'

export interface Renamed {
  readonly structure: SchemaStructure
  readonly drafts: readonly Draft[]
}

/**
 * Renames tables and columns of the structure as Postgres does. Views and other queries over a renamed object get a text that
 * no query has, so that the step creates them again.
 * @throws {RenameError} when an object does not exist, or the new name is taken
 */
export function applyRenames(structure: SchemaStructure, renames: readonly Rename[]): Renamed {
  const tables = renames.filter(({ kind }) => kind === 'table')
  const columns = renames.filter(({ kind }) => kind === 'column')
  return [...tables, ...columns].reduce<Renamed>(
    (done, rename) => {
      const { draft: statement, structure: renamed } =
        rename.kind === 'table'
          ? renameTable(done.structure, rename)
          : renameColumn(done.structure, rename)
      return { structure: renamed, drafts: [...done.drafts, statement] }
    },
    { structure, drafts: [] },
  )
}

/** A rename names an object that the structure does not have, or a name that is taken. */
export class RenameError extends Error {
  override readonly name = 'RenameError'
}

interface Step {
  readonly structure: SchemaStructure
  readonly draft: Draft
}

function renameTable(structure: SchemaStructure, { from, to }: Rename): Step {
  const { schemaName } = structure
  const table = tableOf(structure, from)
  if (structure.relations.some(({ name }) => name === to))
    throw new RenameError(`The table ${from} cannot become ${to}, because ${to} exists already.`)
  const [old, name] = [plainIdentifier(from), plainIdentifier(to)]
  const inText = new RegExp(`(?<![\\w$."])${schemaName}\\.${escaped(old)}(?![\\w$"])`, 'g')
  const inKey = new RegExp(
    `(?<=(?:^| > )(?:relation:|(?:default|constraint|trigger|rule|policy):(?=${escaped(from)}\\.)))${escaped(from)}(?=$|\\.| >)`,
    'g',
  )
  const text = (value: string) =>
    value.replaceAll(inText, () => `${schemaName}.${name}`).replaceAll(inKey, () => to)
  const renamed = mapTexts(structure, text) as SchemaStructure
  const ofTable = <One extends { readonly table: string }>(records: readonly One[]) =>
    records.map((record) => (record.table === from ? { ...record, table: to } : record))
  return {
    draft: draft(
      `alter table ${schemaName}.${quoteIdentifier(from)} rename to ${quoteIdentifier(to)}`,
    ),
    structure: stale(
      {
        ...renamed,
        relations: renamed.relations.map((relation) =>
          relation.key === `relation:${to}` ? { ...relation, name: to } : relation,
        ),
        sequences: renamed.sequences.map((sequence) =>
          sequence.ownedBy?.table === from
            ? { ...sequence, ownedBy: { ...sequence.ownedBy, table: to } }
            : sequence,
        ),
        constraints: ofTable(renamed.constraints),
        indexes: ofTable(renamed.indexes),
        triggers: ofTable(renamed.triggers),
        rules: ofTable(renamed.rules),
        policies: ofTable(renamed.policies),
      },
      table.name === from ? to : from,
    ),
  }
}

function renameColumn(structure: SchemaStructure, { from, to }: Rename): Step {
  const at = from.lastIndexOf('.')
  const [tableName, old] = [from.slice(0, at), from.slice(at + 1)]
  const name = to.includes('.') ? to.slice(to.lastIndexOf('.') + 1) : to
  const table = tableOf(structure, tableName)
  if (!table.columns.some((column) => column.name === old))
    throw new RenameError(`The table ${tableName} has no column ${old}.`)
  if (table.columns.some((column) => column.name === name))
    throw new RenameError(
      `The column ${from} cannot become ${name}, because ${name} exists already.`,
    )
  const { schemaName } = structure
  return {
    draft: draft(
      `alter table ${schemaName}.${quoteIdentifier(tableName)} rename column ${quoteIdentifier(old)} to ${quoteIdentifier(name)}`,
    ),
    structure: stale(withColumnRenamed(structure, tableName, old, name), tableName),
  }
}

function withColumnRenamed(
  structure: SchemaStructure,
  tableName: string,
  old: string,
  name: string,
): SchemaStructure {
  const [oldName, newName] = [plainIdentifier(old), plainIdentifier(name)]
  const word = new RegExp(`(?<![\\w$])${escaped(oldName)}(?![\\w$])`, 'g')
  const inText = (value: string) => value.replaceAll(word, () => newName)
  const ofTable = `${structure.schemaName}.${plainIdentifier(tableName)}`
  const attached = <One extends { readonly definition: string; readonly table: string }>(
    records: readonly One[],
  ) =>
    records.map((record) =>
      record.table === tableName || record.definition.includes(`REFERENCES ${ofTable}(`)
        ? { ...record, definition: inText(record.definition) }
        : record,
    )
  const key = (text: string) =>
    text === `default:${tableName}.${old}` ? `default:${tableName}.${name}` : text
  return {
    ...structure,
    relations: structure.relations.map((relation) =>
      relation.name === tableName
        ? {
            ...relation,
            columns: relation.columns.map((column) => renamedColumn(column, old, name, inText)),
          }
        : relation,
    ),
    constraints: attached(structure.constraints),
    indexes: attached(structure.indexes),
    sequences: structure.sequences.map((sequence) =>
      sequence.ownedBy?.table === tableName && sequence.ownedBy.column === old
        ? { ...sequence, ownedBy: { table: tableName, column: name } }
        : sequence,
    ),
    grants: structure.grants.map((grant) =>
      grant.object === ofTable && grant.column === oldName
        ? { ...grant, column: newName, key: `table:${ofTable}.${newName}` }
        : grant,
    ),
    comments: structure.comments.map((comment) =>
      comment.object === `column ${ofTable}.${oldName}`
        ? { ...comment, object: `column ${ofTable}.${newName}` }
        : comment,
    ),
    dependencies: structure.dependencies.map((edge) => ({
      ...edge,
      from: key(edge.from),
      to: key(edge.to),
    })),
  }
}

function renamedColumn(
  column: ColumnRecord,
  old: string,
  name: string,
  inText: (text: string) => string,
): ColumnRecord {
  const expression =
    column.generated === undefined || column.expression === undefined
      ? {}
      : { expression: inText(column.expression) }
  return { ...column, ...expression, ...(column.name === old ? { name } : {}) }
}

function tableOf({ relations }: SchemaStructure, name: string): RelationRecord {
  const table = relations.find((relation) => relation.name === name && isTable(relation))
  if (table === undefined) throw new RenameError(`The project has no table ${name}.`)
  return table
}

// Postgres prints a query over a renamed object in a form that is not predicted here. A space at the end keeps the statement
// valid and differs from every printed text.
function stale(structure: SchemaStructure, table: string): SchemaStructure {
  const users = new Set(
    structure.dependencies.filter(({ to }) => to === `relation:${table}`).map(({ from }) => from),
  )
  const mark = <One extends { readonly key: string; readonly definition?: string }>(
    records: readonly One[],
  ) =>
    records.map((record) =>
      users.has(record.key) && record.definition !== undefined
        ? { ...record, definition: `${record.definition} ` }
        : record,
    )
  return {
    ...structure,
    relations: structure.relations.map((relation) =>
      users.has(relation.key) && relation.query !== undefined
        ? { ...relation, query: `${relation.query} ` }
        : relation,
    ),
    rules: mark(structure.rules),
    triggers: mark(structure.triggers),
    statistics: mark(structure.statistics),
    policies: structure.policies.map((policy) =>
      users.has(policy.key) || policy.table === table
        ? {
            ...policy,
            ...(policy.using === undefined ? {} : { using: staleExpression(policy.using) }),
            ...(policy.check === undefined ? {} : { check: staleExpression(policy.check) }),
          }
        : policy,
    ),
  }
}

function staleExpression(text: string): string {
  return text === 'true' || text === 'false' ? text : `${text} `
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]),
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

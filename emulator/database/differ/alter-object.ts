// Statements that alter an object in place, so that it equals the object of the second structure. Tables have their own file
// (alter-table.ts). can-alter.ts decides which objects can be altered. Pure.
import type { ConstraintRecord, IndexRecord, PolicyRecord } from '../catalog/attached.ts'
import type { SequenceRecord, TypeRecord } from '../catalog/types.ts'
import { quoteIdentifier, quoteLiteral } from '../sql.ts'
import { grantee, type Qualify, sequenceOptions } from '../template/ddl/create-object.ts'
import { createView } from '../template/ddl/create-relation.ts'
import { recordOf } from './can-alter.ts'
import { optionChanges } from './column-settings.ts'
import { type Draft, draft } from './difference.ts'
import type { SchemaObject } from './objects.ts'

export function alterObject(
  before: SchemaObject,
  after: SchemaObject,
  qualify: Qualify,
): readonly Draft[] {
  switch (after.section) {
    case 'types':
      return alterType(recordOf(before, after), after.record, qualify)
    case 'sequences':
      return alterSequence(recordOf(before, after), after.record, qualify)
    case 'routines':
      return after.record.definition === undefined ? [] : [draft(after.record.definition)]
    case 'relations':
      return [
        draft(
          createView(after.record, qualify).text.replace('create view', 'create or replace view'),
        ),
      ]
    case 'constraints':
      return alterConstraint(recordOf(before, after), after.record, qualify)
    case 'indexes':
      return alterIndex(recordOf(before, after), after.record, qualify)
    case 'statistics':
      return [
        draft(
          `alter statistics ${qualify(after.record.name)} set statistics ${after.record.target ?? -1}`,
        ),
      ]
    case 'triggers':
    case 'rules':
      return [firing(after, qualify)]
    case 'policies':
      return [alterPolicy(recordOf(before, after), after.record, qualify)]
    case 'defaults':
      return [
        draft(
          `alter table only ${qualify(after.record.table)} alter column ${quoteIdentifier(after.record.column)} set default ${after.record.expression}`,
        ),
      ]
    default:
      return []
  }
}

function firing(
  { record, section }: Extract<SchemaObject, { readonly section: 'triggers' | 'rules' }>,
  qualify: Qualify,
): Draft {
  const verb = {
    origin: 'enable',
    disabled: 'disable',
    replica: 'enable replica',
    always: 'enable always',
  }[record.firing]
  const kind = section === 'triggers' ? 'trigger' : 'rule'
  return draft(
    `alter table only ${qualify(record.table)} ${verb} ${kind} ${quoteIdentifier(record.name)}`,
  )
}

/** Sets a partition's copy of a trigger to its usual firing state. */
export function enableCopy(object: SchemaObject, qualify: Qualify): readonly Draft[] {
  if (object.section !== 'triggers') return []
  return [firing({ ...object, record: { ...object.record, firing: 'origin' } }, qualify)]
}

function alterType(before: TypeRecord, after: TypeRecord, qualify: Qualify): readonly Draft[] {
  const name = qualify(after.name)
  if (after.labels !== undefined) return addLabels(before.labels ?? [], after.labels, name)
  if (after.domain !== undefined) return alterDomain(before, after.domain, name)
  const [had, has] = [before.attributes ?? [], after.attributes ?? []]
  const gone = had.filter(({ name: old }) => !has.some((attribute) => attribute.name === old))
  return [
    ...gone.map((attribute) =>
      draft(
        `alter type ${name} drop attribute ${quoteIdentifier(attribute.name)} cascade`,
        `Drops the attribute ${after.name}.${attribute.name} and its values.`,
      ),
    ),
    ...has
      .filter((attribute) => !had.some((old) => old.name === attribute.name))
      .map(({ collation, name: added, type }) =>
        draft(
          `alter type ${name} add attribute ${quoteIdentifier(added)} ${type}${collation === undefined ? '' : ` collate ${collation}`} cascade`,
        ),
      ),
  ]
}

function addLabels(
  before: readonly string[],
  after: readonly string[],
  name: string,
): readonly Draft[] {
  const known = new Set(before)
  return after.flatMap((label, index) => {
    if (known.has(label)) return []
    known.add(label)
    const previous = after[index - 1]
    const next = after.slice(index + 1).find((other) => known.has(other))
    const place =
      next === undefined
        ? ''
        : previous === undefined
          ? ` before ${quoteLiteral(next)}`
          : ` after ${quoteLiteral(previous)}`
    return [draft(`alter type ${name} add value ${quoteLiteral(label)}${place}`)]
  })
}

function alterDomain(
  before: TypeRecord,
  after: NonNullable<TypeRecord['domain']>,
  name: string,
): readonly Draft[] {
  const had = before.domain?.constraints ?? []
  const alter = (change: string) => draft(`alter domain ${name} ${change}`)
  const isSame = (
    one: { definition: string; name: string },
    other: { definition: string; name: string },
  ) => one.name === other.name && one.definition === other.definition
  return [
    ...had
      .filter((old) => !after.constraints.some((constraint) => isSame(old, constraint)))
      .map((old) => alter(`drop constraint ${quoteIdentifier(old.name)}`)),
    ...after.constraints
      .filter((constraint) => !had.some((old) => isSame(old, constraint)))
      .map((added) => alter(`add constraint ${quoteIdentifier(added.name)} ${added.definition}`)),
    ...(before.domain?.default === after.default
      ? []
      : [alter(after.default === undefined ? 'drop default' : `set default ${after.default}`)]),
  ]
}

function alterSequence(
  before: SequenceRecord,
  after: SequenceRecord,
  qualify: Qualify,
): readonly Draft[] {
  const name = qualify(after.name)
  const [had, has] = [before.options, after.options].map(
    (options) => `as ${options.type} ${sequenceOptions(options)}`,
  )
  return [
    ...(had === has ? [] : [draft(`alter sequence ${name} ${has}`)]),
    ...(before.unlogged === after.unlogged
      ? []
      : [draft(`alter sequence ${name} set ${after.unlogged ? 'unlogged' : 'logged'}`)]),
  ]
}

function alterConstraint(
  before: ConstraintRecord,
  after: ConstraintRecord,
  qualify: Qualify,
): readonly Draft[] {
  const table = `alter table ${qualify(after.table)}`
  const name = quoteIdentifier(after.name)
  return [
    ...(before.validated || !after.validated
      ? []
      : [draft(`${table} validate constraint ${name}`)]),
    ...indexSettings(before.indexOptions, after.indexOptions, qualify(after.name)),
    ...clusterChange(before, after, table),
  ]
}

function alterIndex(before: IndexRecord, after: IndexRecord, qualify: Qualify): readonly Draft[] {
  const [had, has] = [before.statisticsTargets ?? {}, after.statisticsTargets ?? {}]
  const columns = [...new Set([...Object.keys(had), ...Object.keys(has)])]
  return [
    ...columns
      .filter((column) => had[column] !== has[column])
      .map((column) =>
        draft(
          `alter index ${qualify(after.name)} alter column ${column} set statistics ${has[column] ?? -1}`,
        ),
      ),
    ...clusterChange(before, after, `alter table ${qualify(after.table)}`),
  ]
}

function indexSettings(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  index: string,
): readonly Draft[] {
  return optionChanges(before ?? [], after ?? []).map((change) =>
    draft(`alter index ${index} ${change}`),
  )
}

function clusterChange(
  before: { readonly clustered: boolean },
  after: { readonly clustered: boolean; readonly name: string },
  table: string,
): readonly Draft[] {
  return after.clustered && !before.clustered
    ? [draft(`${table} cluster on ${quoteIdentifier(after.name)}`)]
    : []
}

/** Removes the CLUSTER mark from the table's old index, before another index gets the mark. */
export function unclusterTable(
  before: SchemaObject,
  after: SchemaObject,
  qualify: Qualify,
): readonly Draft[] {
  if (after.section !== 'indexes' && after.section !== 'constraints') return []
  const { clustered } = recordOf(before, after)
  return clustered && !after.record.clustered
    ? [draft(`alter table ${qualify(after.record.table)} set without cluster`)]
    : []
}

function alterPolicy(before: PolicyRecord, after: PolicyRecord, qualify: Qualify): Draft {
  const isSameRole = before.roles.join() === after.roles.join()
  const parts = [
    ...(isSameRole ? [] : [`to ${after.roles.map(grantee).join(', ')}`]),
    ...(before.using === after.using ? [] : [`using (${after.using})`]),
    ...(before.check === after.check ? [] : [`with check (${after.check})`]),
  ]
  return draft(
    `alter policy ${quoteIdentifier(after.name)} on ${qualify(after.table)} ${parts.join(' ')}`,
  )
}

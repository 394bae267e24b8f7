// Plans the units of a clone: which objects need own statements, and what must exist before each. Pure.

import type { FiringRecord } from '../catalog/attached.ts'
import type { DictionaryRecord } from '../catalog/expressions.ts'
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import { quoteIdentifier, type Sql, verbatim } from '../sql.ts'
import { castNeeds, neighbours } from './cast-needs.ts'
import {
  addConstraint,
  alterConstraintIndex,
  constraintText,
  createIndex,
  createPolicy,
  createRule,
  createStatistics,
  createTrigger,
} from './ddl/create-attached.ts'
import {
  createCast,
  createCollation,
  createConfiguration,
  createConversion,
  createDictionary,
  createOperator,
  createRoutine,
  createSequence,
  createType,
  type Qualify,
} from './ddl/create-object.ts'
import { alterTable, createTable, createView } from './ddl/create-relation.ts'
import type { Phase, Unit } from './ddl/unit.ts'
import { defaultKey, inlinedKeys } from './inlined-keys.ts'
import type { SchemaStructure } from './structure.ts'

const THESAURUS = 'pg_catalog.thesaurus'

type Constraint = SchemaStructure['constraints'][number]

/**
 * Lists the units of a structure, unordered.
 * @param behaviour whether triggers and policies are included
 * @param inlinesForeignKeys false gives each foreign key a unit of its own, for tables that get rows first
 */
export function planUnits(
  structure: SchemaStructure,
  behaviour: boolean,
  inlinesForeignKeys = true,
): readonly Unit[] {
  const qualify: Qualify = (name) => `${structure.schemaName}.${quoteIdentifier(name)}`
  const edges = [...structure.dependencies, ...castNeeds(structure)]
  const needs = neighbours(edges)
  const inlined = inlinedKeys(structure, edges, inlinesForeignKeys)
  const insideOf = Map.groupBy([...inlined.keys()], (key) => inlined.get(key))
  // `create table` also creates its inlined defaults and constraints. So a unit that needs one of them waits for the table.
  const resolved = (key: string) => needs(key).map((need) => inlined.get(need) ?? need)
  const unit: MakeUnit = (key, phase, statements, more = []) => ({
    key,
    phase,
    statements,
    needs: [...resolved(key), ...more],
  })
  const units: MakeUnits = (records, phase, create) =>
    records.map((record) => unit(record.key, phase, [create(record, qualify)].flat()))
  return [
    ...units(structure.collations, 'collation', createCollation),
    ...units(structure.conversions, 'collation', createConversion),
    ...structure.dictionaries.map((one) =>
      unit(one.key, 'dictionary', [createDictionary(one, qualify)], unseenNeeds(one, structure)),
    ),
    ...units(structure.configurations, 'configuration', createConfiguration),
    ...units(structure.operators, 'operator', createOperator),
    ...units(structure.casts, 'cast', createCast),
    ...units(structure.types, 'type', createType),
    ...units(structure.sequences, 'sequence', createSequence),
    ...structure.sequences.flatMap((sequence) => ownership(sequence, qualify)),
    ...units(structure.routines, 'routine', createRoutine),
    ...structure.relations.flatMap((relation) => {
      const inside = insideOf.get(relation.key) ?? []
      return relationUnits(
        relation,
        structure.constraints,
        { keys: new Set(inside), needs: inside.flatMap(resolved) },
        unit,
        qualify,
      )
    }),
    ...structure.constraints.flatMap((constraint) =>
      constraintUnits(constraint, inlined, unit, qualify),
    ),
    ...units(structure.indexes, 'index', createIndex),
    ...units(structure.statistics, 'behaviour', createStatistics),
    ...units(structure.rules, 'behaviour', createRule),
    ...(behaviour ? behaviourUnits(structure, units) : []),
  ]
}

function behaviourUnits(
  { policies, triggers }: SchemaStructure,
  units: MakeUnits,
): readonly Unit[] {
  const isCopy = ({ definition }: FiringRecord) => definition === undefined
  return [
    ...units(
      triggers.filter((trigger) => !isCopy(trigger)),
      'behaviour',
      createTrigger,
    ),
    ...units(triggers.filter(isCopy), 'setting', createTrigger),
    ...units(policies, 'behaviour', createPolicy),
  ]
}

type MakeUnit = (
  key: string,
  phase: Phase,
  statements: readonly Sql[],
  more?: readonly string[],
) => Unit

type MakeUnits = <Keyed extends { readonly key: string }>(
  records: readonly Keyed[],
  phase: Phase,
  create: (record: Keyed, qualify: Qualify) => Sql | readonly Sql[],
) => readonly Unit[]

/** A thesaurus uses the dictionary named in its options, but Postgres records no such dependency. */
function unseenNeeds(
  { template }: DictionaryRecord,
  { dictionaries }: SchemaStructure,
): readonly string[] {
  if (template !== THESAURUS) return []
  return dictionaries.filter((other) => other.template !== THESAURUS).map(({ key }) => key)
}

function relationUnits(
  relation: RelationRecord,
  constraints: readonly Constraint[],
  inside: { readonly keys: ReadonlySet<string>; readonly needs: readonly string[] },
  unit: MakeUnit,
  qualify: Qualify,
): readonly Unit[] {
  const { columns, key } = relation
  const isInside = (column: ColumnRecord) => inside.keys.has(defaultKey(relation, column))
  const defaults = columns
    .filter(
      (column) =>
        column.expression !== undefined && column.generated === undefined && !isInside(column),
    )
    .map((column) =>
      unit(
        defaultKey(relation, column),
        'attachment',
        [setDefault(relation, column, qualify)],
        [key],
      ),
    )
  const setting = unit(`setting:${relation.name}`, 'setting', alterTable(relation, qualify), [key])
  if (relation.kind === 'view' || relation.kind === 'materialized')
    return [
      unit(key, 'view', [createView(relation, qualify)]),
      ...defaults,
      ...(relation.kind === 'materialized' ? [setting] : []),
    ]
  const inline = {
    mayInlineDefault: isInside,
    constraints: constraints
      .filter(({ key, table }) => table === relation.name && inside.keys.has(key))
      .map(constraintText),
  }
  return [
    unit(
      key,
      'table',
      [createTable(relation, inline, qualify)],
      inside.needs.filter((need) => need !== key),
    ),
    ...defaults,
    ...attachment(relation, qualify),
    setting,
  ]
}

function constraintUnits(
  constraint: Constraint,
  inlined: ReadonlyMap<string, string>,
  unit: MakeUnit,
  qualify: Qualify,
): readonly Unit[] {
  const after = alterConstraintIndex(constraint, qualify)
  if (inlined.has(constraint.key)) return [unit(`setting:${constraint.key}`, 'setting', after)]
  if (!constraint.local) return []
  const phase = constraint.kind === 'foreign' ? 'foreignKey' : 'constraint'
  return [unit(constraint.key, phase, [addConstraint(constraint, qualify), ...after])]
}

function attachment(table: RelationRecord, qualify: Qualify): readonly Unit[] {
  if (table.partitionBound === undefined) return []
  const parents = table.parents ?? []
  return [
    {
      key: `attachment:${table.name}`,
      phase: 'attachment',
      statements: parents.map((parent) =>
        verbatim(
          `alter table only ${parent} attach partition ${qualify(table.name)} ${table.partitionBound}`,
        ),
      ),
      needs: [table.key],
    },
  ]
}

function ownership(
  sequence: SchemaStructure['sequences'][number],
  qualify: Qualify,
): readonly Unit[] {
  if (sequence.ownedBy === undefined) return []
  const { column, table } = sequence.ownedBy
  const owner = `${qualify(table)}.${quoteIdentifier(column)}`
  return [
    {
      key: `ownership:${sequence.name}`,
      phase: 'attachment',
      statements: [verbatim(`alter sequence ${qualify(sequence.name)} owned by ${owner}`)],
      needs: [sequence.key, `relation:${table}`],
    },
  ]
}

function setDefault(relation: RelationRecord, column: ColumnRecord, qualify: Qualify): Sql {
  const target =
    relation.kind === 'view'
      ? `alter view ${qualify(relation.name)}`
      : `alter table only ${qualify(relation.name)}`
  return verbatim(
    `${target} alter column ${quoteIdentifier(column.name)} set default ${column.expression}`,
  )
}

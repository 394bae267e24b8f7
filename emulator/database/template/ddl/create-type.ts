// Statements for types, sequences and routines. Pure.
import type { AggregateParts, RoutineRecord } from '../../catalog/routines.ts'
import type { SequenceRecord } from '../../catalog/sequences.ts'
import type { TypeRecord } from '../../catalog/types.ts'
import { quoteIdentifier, quoteLiteral, type Sql, verbatim } from '../../sql.ts'
import { collate, definitionList, sequenceOptions } from './words.ts'

/** Returns the qualified name of an object in the schema that is being built. */
export type Qualify = (name: string) => string

export function createType(type: TypeRecord, qualify: Qualify): readonly Sql[] {
  const name = qualify(type.name)
  if (type.labels !== undefined)
    return [verbatim(`create type ${name} as enum (${type.labels.map(quoteLiteral).join(', ')})`)]
  if (type.attributes !== undefined) {
    const attributes = type.attributes.map(
      (attribute) =>
        `${quoteIdentifier(attribute.name)} ${attribute.type}${collate(attribute.collation)}`,
    )
    return [verbatim(`create type ${name} as (${attributes.join(', ')})`)]
  }
  if (type.range !== undefined) return [createRange(name, type.range, qualify)]
  return type.domain === undefined ? [] : createDomain(name, type.domain)
}

function createRange(name: string, range: NonNullable<TypeRecord['range']>, qualify: Qualify): Sql {
  const options = [
    `subtype = ${range.subtype}`,
    ...(range.opclass === undefined ? [] : [`subtype_opclass = ${range.opclass}`]),
    ...(range.collation === undefined ? [] : [`collation = ${range.collation}`]),
    ...(range.difference === undefined ? [] : [`subtype_diff = ${range.difference}`]),
    `multirange_type_name = ${qualify(range.multirange)}`,
  ]
  return verbatim(`create type ${name} as range (${options.join(', ')})`)
}

// `create domain` ignores NOT VALID, so constraints that are not validated are added afterwards.
function createDomain(name: string, domain: NonNullable<TypeRecord['domain']>): readonly Sql[] {
  const named = domain.constraints.map((constraint) => ({
    ...constraint,
    text: `constraint ${quoteIdentifier(constraint.name)} ${constraint.definition}`,
  }))
  const inline = named.filter(({ validated }) => validated).map(({ text }) => ` ${text}`)
  const preset = domain.default === undefined ? '' : ` default ${domain.default}`
  return [
    verbatim(
      `create domain ${name} as ${domain.base}${collate(domain.collation)}${preset}${inline.join('')}`,
    ),
    ...named
      .filter(({ validated }) => !validated)
      .map(({ text }) => verbatim(`alter domain ${name} add ${text}`)),
  ]
}

export function createSequence(sequence: SequenceRecord, qualify: Qualify): Sql {
  const unlogged = sequence.unlogged ? 'unlogged ' : ''
  const { options } = sequence
  return verbatim(
    `create ${unlogged}sequence ${qualify(sequence.name)} as ${options.type} ${sequenceOptions(options)}`,
  )
}

export function createRoutine(routine: RoutineRecord): readonly Sql[] {
  if (routine.aggregate !== undefined) return [createAggregate(routine.aggregate)]
  return routine.definition === undefined ? [] : [verbatim(routine.definition)]
}

function createAggregate(aggregate: AggregateParts): Sql {
  const options = definitionList(aggregate.options)
  return verbatim(
    `create aggregate ${aggregate.name} (${aggregate.arguments}) (${options}${aggregate.hypothetical ? ', hypothetical' : ''})`,
  )
}

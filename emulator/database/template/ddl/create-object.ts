// Statements for objects that are not attached to a relation: types, sequences, routines, collations, conversions, text search,
// operators, casts. Also contains the parts of statements that several objects share. Pure.
import type {
  CastRecord,
  CollationRecord,
  ConfigurationRecord,
  ConversionRecord,
  DictionaryRecord,
  OperatorRecord,
} from '../../catalog/expressions.ts'
import type {
  AggregateParts,
  RoutineRecord,
  SequenceOptions,
  SequenceRecord,
  TypeRecord,
} from '../../catalog/types.ts'
import { quoteIdentifier, quoteLiteral, type Sql, verbatim } from '../../sql.ts'

export function createCollation(collation: CollationRecord, qualify: Qualify): Sql {
  return verbatim(
    `create collation ${qualify(collation.name)} (${definitionList(collation.options)})`,
  )
}

export function createConversion(conversion: ConversionRecord, qualify: Qualify): Sql {
  const { from, function: name, isDefault, to } = conversion
  return verbatim(
    `create ${isDefault ? 'default ' : ''}conversion ${qualify(conversion.name)} for ${quoteLiteral(from)} to ${quoteLiteral(to)} from ${name}`,
  )
}

export function createDictionary(dictionary: DictionaryRecord, qualify: Qualify): Sql {
  const { name, options, template } = dictionary
  return verbatim(
    `create text search dictionary ${qualify(name)} (template = ${template}${options === undefined ? '' : `, ${options}`})`,
  )
}

export function createConfiguration(
  configuration: ConfigurationRecord,
  qualify: Qualify,
): readonly Sql[] {
  const name = `text search configuration ${qualify(configuration.name)}`
  return [
    verbatim(`create ${name} (parser = ${configuration.parser})`),
    ...configuration.mappings.map(({ dictionaries, tokens }) =>
      verbatim(
        `alter ${name} add mapping for ${tokens.join(', ')} with ${dictionaries.join(', ')}`,
      ),
    ),
  ]
}

/** The statement may name a commutator or negator that is created later. */
export function createOperator(operator: OperatorRecord): Sql {
  return verbatim(`create operator ${operator.name} (${definitionList(operator.options)})`)
}

export function createCast(cast: CastRecord): Sql {
  const how = cast.function === undefined ? 'with inout' : `with function ${cast.function}`
  const when = cast.context === 'explicit' ? '' : ` as ${cast.context}`
  return verbatim(`create cast (${cast.source} as ${cast.target}) ${how}${when}`)
}

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

/** Renders the catalogue's `name=value` pairs as `with (a='1', b='2')`, or as ''. */
export function withOptions(options: readonly string[] | undefined): string {
  return options === undefined || options.length === 0 ? '' : ` with (${optionList(options)})`
}

/** `a='1', b='2'`. The names are Postgres's own and need no quotes (`toast.autovacuum_enabled`). */
export function optionList(options: readonly string[]): string {
  return options
    .map((option) => {
      const end = option.indexOf('=')
      return `${option.slice(0, end)}=${quoteLiteral(option.slice(end + 1))}`
    })
    .join(', ')
}

function collate(collation: string | undefined): string {
  return collation === undefined ? '' : ` collate ${collation}`
}

export function sequenceOptions(options: SequenceOptions): string {
  return `start with ${options.start} increment by ${options.increment} minvalue ${options.min} maxvalue ${options.max} cache ${options.cache} ${options.cycle ? '' : 'no '}cycle`
}

/** Renders a role in a grant or policy; `public` is a keyword. */
export function grantee(role: string): string {
  return role === 'public' ? 'public' : quoteIdentifier(role)
}

/** Renders options as `a = 1, b = x` for `create aggregate` and others; the values are SQL. */
function definitionList(options: Readonly<Record<string, string>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')
}

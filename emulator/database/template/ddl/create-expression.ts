// Statements for objects that expressions use: collations, conversions, text search, operators, casts. Pure.
import type { CollationRecord, ConversionRecord } from '../../catalog/collations.ts'
import type { CastRecord, OperatorRecord } from '../../catalog/operators.ts'
import type { ConfigurationRecord, DictionaryRecord } from '../../catalog/text-search.ts'
import { quoteLiteral, type Sql, verbatim } from '../../sql.ts'
import type { Qualify } from './create-type.ts'
import { definitionList } from './words.ts'

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

// Generates the TypeScript types of a project's functions: one type for each overload. Pure.
import {
  isSameName,
  type Routine,
  type SchemaCache,
} from '../../../services/data/schema-cache/schema-cache.ts'
import type { RoutineFact, TypeFacts } from './type-facts.ts'
import { arrayOf, block, type Member, type NamedTypes, record, typeScriptOf } from './type-texts.ts'

export interface FunctionSource extends NamedTypes {
  readonly cache: SchemaCache
  readonly facts: TypeFacts
}

/** Returns the union of the types of a function's overloads. */
export function functionType(overloads: readonly Routine[], source: FunctionSource): string {
  return overloads.map((routine) => overloadType(routine, source)).join(' | ')
}

function overloadType(routine: Routine, source: FunctionSource): string {
  const fact = source.facts.routines.get(routine.oid)
  const args = routine.parameters.map(({ isRequired, name }, index) => ({
    name,
    type: typeScriptOf(fact?.parameters[index] ?? '', source),
    isOptional: !isRequired,
  }))
  const one = fact === undefined ? 'unknown' : resultType(fact, source)
  return block(
    [
      `Args: ${args.length === 0 ? 'never' : record(args, 8)}`,
      `Returns: ${routine.returns.isSet ? arrayOf(one) : one}`,
      ...(returnsOwnRows(routine, source) ? [setOption(routine, source)] : []),
    ],
    6,
  )
}

// Postgres does not state whether a result can be null. Results are typed as not null, as the reference client's generator does.
function resultType({ columns, returns }: RoutineFact, source: FunctionSource): string {
  // Postgres expands the fields of a single OUT parameter with a composite type.
  if (columns.length === 0 || (columns.length === 1 && isComposite(returns, source)))
    return typeScriptOf(returns, source)
  return record(
    columns.map(
      ({ name, type }, index): Member => ({
        name: name === '' ? nameOfUnnamed(index, columns.length) : name,
        type: typeScriptOf(type, source),
      }),
    ),
    8,
  )
}

function isComposite(oid: string, source: FunctionSource): boolean {
  const type = source.types.get(oid)
  return type?.kind === 'c' || (typeof type?.base === 'string' && isComposite(type.base, source))
}

// A single unnamed column gets the alias of the call as its name (../../../services/data/sql/call.ts). Postgres numbers unnamed
// columns when there are several columns.
function nameOfUnnamed(index: number, count: number): string {
  return count === 1 ? 'pgrst_call' : `column${index + 1}`
}

function returnsOwnRows({ returns }: Routine, { rows, schemaName }: FunctionSource): boolean {
  const kind = returns.type.schema === schemaName ? rows.get(returns.type.name) : undefined
  return kind === 'Tables' || kind === 'Views'
}

// Clients can select from the rows that a function returns. A function that takes a table's row is also a computed column of
// the table.
function setOption(
  { parameters, returns }: Routine,
  { cache, schemaName }: FunctionSource,
): string {
  const [first] = parameters
  const from = [...cache.tables.values()].find(
    (table) => first !== undefined && first.type === `${schemaName}.${table.name}`,
  )
  const computed =
    from === undefined
      ? undefined
      : cache.relationships
          .get(`${from.schema}\0${from.name}`)
          ?.find((one) => one.kind === 'computed' && isSameName(one.foreignTable, returns.type))
  const isToOne = computed?.kind === 'computed' ? computed.isToOne : !returns.isSet
  return `SetofOptions: { from: ${JSON.stringify(from?.name ?? '*')}; to: ${JSON.stringify(returns.type.name)}; isOneToOne: ${isToOne}; isSetofReturn: ${returns.isSet} }`
}

// A schema cache in which every name comes from the given words. The cache has relationships of all cardinalities, all kinds of
// functions, and a column with its own text form.
import { relationshipsOf } from '../../../emulator/services/data/schema-cache/relationships.ts'
import {
  type Column,
  keyOf,
  type Routine,
  type RoutineParameter,
  representationKey,
  type SchemaCache,
  type Table,
} from '../../../emulator/services/data/schema-cache/schema-cache.ts'
import { WORD, type Words } from '../../support/request-words.ts'

export const SCHEMA = 'proj_x'

export function wordsCache(word: Words): SchemaCache {
  const columns = columnsOf(word)
  const tableNames = [WORD.owners, WORD.pets, WORD.chips, WORD.visits, WORD.pairs]
  const tables = new Map(
    tableNames
      .map((index) => table(word(index), columns, keyOfTable(index).map(word)))
      .map((each) => [keyOf(each), each]),
  )
  const owners = { schema: SCHEMA, name: word(WORD.owners) }
  const favourite = { schema: SCHEMA, name: word(WORD.favourite) }
  const visits = { schema: SCHEMA, name: word(WORD.visits) }
  return {
    version: 1,
    tables,
    relationships: relationshipsOf(tables, foreignKeysOf(word), [
      {
        kind: 'computed',
        routine: favourite,
        table: owners,
        foreignTable: visits,
        isSelf: false,
        isToOne: false,
      },
    ]),
    routines: Map.groupBy(routinesOf(word), keyOf),
    representations: new Map([
      [representationKey('colour', 'json'), 'public.shown'],
      [representationKey('json', 'colour'), 'public.read'],
      [representationKey('text', 'colour'), 'public.parsed'],
    ]),
    mediaHandlers: [],
  }
}

function keyOfTable(index: number): readonly number[] {
  return index === WORD.pairs ? [WORD.owner, WORD.visit] : [WORD.key]
}

function columnsOf(word: Words): readonly Column[] {
  return [
    column(word(WORD.key), 'integer', 'nextval(1)'),
    column(word(WORD.name), 'text', `'it''s'::text`),
    column(word(WORD.data), 'jsonb'),
    column(word(WORD.text), 'tsvector'),
    column(word(WORD.owner), 'integer', '0'),
    column(word(WORD.visit), 'integer'),
    column(word(WORD.colour), 'colour'),
  ]
}

function foreignKeysOf(word: Words) {
  const key = (from: number, by: number, to: number, isUnique = false) => ({
    constraint: `${word(from)} ${word(by)}`,
    table: { schema: SCHEMA, name: word(from) },
    foreignTable: { schema: SCHEMA, name: word(to) },
    columns: [[word(by), word(WORD.key)]] as const,
    isUnique,
  })
  return [
    key(WORD.pets, WORD.owner, WORD.owners),
    key(WORD.chips, WORD.key, WORD.pets, true),
    key(WORD.pairs, WORD.owner, WORD.owners),
    key(WORD.pairs, WORD.visit, WORD.visits),
    key(WORD.visits, WORD.visit, WORD.visits),
  ]
}

function routinesOf(word: Words): readonly Routine[] {
  const scalar = { isSet: false, kind: 'scalar', isDomain: false } as const
  const integer = { ...scalar, type: { schema: 'pg_catalog', name: 'int4' } }
  const rows = {
    isSet: true,
    kind: 'composite',
    isDomain: false,
    type: { schema: SCHEMA, name: word(WORD.owners) },
  } as const
  const first = parameter(word(WORD.first), 'integer')
  const second = { ...parameter(word(WORD.second), 'text'), isRequired: false }
  return [
    routine(word(WORD.search), [first, second], rows, 'stable'),
    routine(word(WORD.add), [first], integer, 'volatile'),
    routine(word(WORD.ping), [], integer, 'immutable'),
    routine(word(WORD.whole), [parameter('', 'json')], integer, 'volatile'),
    routine(word(WORD.many), [{ ...first, type: 'text[]', isVariadic: true }], integer, 'stable'),
  ]
}

function routine(
  name: string,
  parameters: readonly RoutineParameter[],
  returns: Routine['returns'],
  volatility: Routine['volatility'],
): Routine {
  return {
    schema: SCHEMA,
    name,
    oid: name,
    comment: undefined,
    parameters,
    returns,
    volatility,
    hasVariadic: parameters.some(({ isVariadic }) => isVariadic),
    settings: [],
  }
}

function parameter(name: string, type: string): RoutineParameter {
  return { name, type, looseType: type, isRequired: true, isVariadic: false }
}

function table(name: string, columns: readonly Column[], keyColumns: readonly string[]): Table {
  return {
    schema: SCHEMA,
    name,
    comment: undefined,
    isView: false,
    isInsertable: true,
    isUpdatable: true,
    isDeletable: true,
    keyColumns,
    columns: new Map(columns.map((each) => [each.name, each])),
  }
}

function column(name: string, type: string, defaultExpression?: string): Column {
  return {
    name,
    comment: undefined,
    isNullable: true,
    baseType: type,
    type,
    maxLength: undefined,
    defaultExpression,
    enumValues: [],
  }
}

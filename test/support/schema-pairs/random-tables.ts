// Random tables and views, and the parts that a table can have.
import { createRandom, type Random as SoakRandom } from '../../soak/random.ts'
import type { Model, ModelColumn, ModelFunction, ModelTable } from './schema-model.ts'

export interface Random extends Pick<SoakRandom, 'below' | 'pick'> {
  chance(probability: number): boolean
}

export function randomOf(seed: number): Random {
  const { below, pick } = createRandom(seed)
  return { below, pick, chance: (probability) => below(1_000) < probability * 1_000 }
}

export const TABLES = ['customers', 'orders', 'Order Lines', 'notes', 'events', 'group']
export const COLUMNS = [
  'c_total',
  'c_name',
  'c_owner',
  'c_kind',
  'c_data',
  'c_size',
  'c_label',
  'c_at',
  'c_flag',
  'c_ref',
]
export const TYPES: Record<string, readonly string[]> = {
  integer: ['0', '7', "nextval('tickets')", 'twice(2)'],
  bigint: ['0', '12'],
  smallint: ['1'],
  'numeric(10,2)': ['0.5', '1'],
  'numeric(6,1)': ['2'],
  text: ["'x'", "'it''s'"],
  'character varying(20)': ["'v'"],
  'character varying(5)': ["'w'"],
  boolean: ['true', 'false'],
  date: ["'2020-01-01'", 'current_date'],
  'timestamp with time zone': ['now()'],
  uuid: ['gen_random_uuid()', 'auth.uid()'],
  jsonb: ["'{}'"],
  json: ["'[]'"],
  'text[]': ["'{}'"],
  mood: ["'ok'::mood", "'sad'::mood", "'new'::mood"],
  state: ["'open'::state", "'done'::state"],
  'mood[]': [],
  positive: ['1', '5'],
  pair: [],
}
const NUMERIC = /^(integer|bigint|smallint|numeric)/

export function randomColumn(random: Random, name: string): ModelColumn {
  const type = random.pick(Object.keys(TYPES))
  const presets = TYPES[type] ?? []
  const column: ModelColumn = { name, type, notNull: random.chance(0.3) }
  if (presets.length > 0 && random.chance(0.5)) column.default = random.pick(presets)
  if (type === 'integer' && random.chance(0.1)) {
    delete column.default
    column.identity = random.pick(['always', 'by default'])
    column.notNull = true
  }
  return column
}

export function randomTable(random: Random, name: string): ModelTable {
  const count = 2 + random.below(5)
  const names = COLUMNS.filter(() => random.chance(0.6)).slice(0, count)
  const table: ModelTable = {
    name,
    columns: names.map((column) => randomColumn(random, column)),
    checks: [],
    uniques: [],
    references: [],
    indexes: [],
    policies: [],
    triggers: [],
    statistics: [],
    rowSecurity: random.chance(0.5),
    forced: random.chance(0.1),
    options: random.chance(0.1) ? ' with (fillfactor = 70)' : '',
    grants: [],
    comments: {},
    partitioned: random.chance(0.2),
    partitions: [],
    heirs: [],
  }
  if (table.partitioned) table.partitions = [{ name: `${slug(name)}_p1`, from: 0, to: 100 }]
  else if (random.chance(0.15)) addHeir(table, random)
  for (const add of [...ADD_PARTS, ...ADD_PARTS]) if (random.chance(0.4)) add(table, random)
  if (random.chance(0.3)) addGenerated(table, random)
  if (random.chance(0.15)) addVirtual(table, random)
  return table
}

export const slug = (name: string): string => name.toLowerCase().replaceAll(/\W/g, '_')

function numericColumn(table: ModelTable, random: Random): ModelColumn | undefined {
  const found = table.columns.filter(
    ({ generated, type }) => NUMERIC.test(type) && generated === undefined,
  )
  return found.length === 0 ? undefined : random.pick(found)
}

export function addGenerated(table: ModelTable, random: Random): void {
  const base = numericColumn(table, random)
  if (base === undefined || table.columns.some(({ name }) => name === 'c_generated')) return
  const text =
    base.type === 'integer' && random.chance(0.4)
      ? `twice(${base.name})`
      : `${base.name} + ${random.pick(['1', '2'])}`
  const type = random.chance(0.5) ? base.type : random.pick(GENERATED_TYPES)
  table.columns.push({ name: 'c_generated', type, notNull: false, generated: text })
}

const GENERATED_TYPES = ['integer', 'bigint', 'numeric(10,2)', 'text']

export function addVirtual(table: ModelTable, random: Random): void {
  const base = numericColumn(table, random)
  if (base === undefined || table.columns.some(({ name }) => name === 'c_virtual')) return
  const type = random.pick(GENERATED_TYPES)
  const generated = `${base.name} * ${random.pick(['1', '2'])}`
  table.columns.push({ name: 'c_virtual', type, notNull: false, generated, virtual: true })
}

export function addHeir(table: ModelTable, random: Random): void {
  if (table.heirs.length > 1) return
  const merged = table.columns.filter(() => random.chance(0.2)).map(({ name }) => name)
  const name = freshName(`${slug(table.name)}_heir`, table.heirs)
  table.heirs.push({ name, extra: random.chance(0.5), merged })
}

export function freshName(base: string, taken: readonly { readonly name: string }[]): string {
  let number = 1
  while (taken.some(({ name }) => name === `${base}_${number}`)) number += 1
  return `${base}_${number}`
}

export type Part = (table: ModelTable, random: Random) => void

const addCheck: Part = (table, random) => {
  const column = numericColumn(table, random)
  if (column === undefined) return
  const text =
    column.type === 'integer' && random.chance(0.3)
      ? `twice(${column.name}) > -${random.below(9)}`
      : `${column.name} > -${random.below(9)}`
  table.checks.push({
    name: freshName(`${slug(table.name)}_check`, table.checks),
    column: column.name,
    text,
  })
}
const addUnique: Part = (table, random) => {
  const usable = table.columns.filter(({ type }) => type !== 'json')
  if (usable.length === 0 || table.partitioned) return
  const columns = [
    ...new Set([
      random.pick(usable).name,
      ...(random.chance(0.3) ? [random.pick(usable).name] : []),
    ]),
  ]
  table.uniques.push({ name: freshName(`${slug(table.name)}_unique`, table.uniques), columns })
}
const addReference: Part = (table, random) => {
  const column = table.columns.find(
    ({ generated, type }) => type === 'integer' && generated === undefined,
  )
  if (column === undefined) return
  table.references.push({
    name: freshName(`${slug(table.name)}_fk`, table.references),
    column: column.name,
    table: random.pick(TABLES),
    action: random.pick(['cascade', 'no action', 'restrict']),
  })
}
const addIndex: Part = (table, random) => {
  const usable = table.columns.filter(({ type }) => type !== 'json')
  if (usable.length === 0) return
  const column = random.pick(usable)
  const { name, type } = column
  const how = random.pick([
    `(${name})`,
    `(${name} desc)`,
    `(${name}) where ${name} is not null`,
    ...(type === 'integer' ? [`(twice(${name}))`] : []),
    ...(type === 'jsonb' ? [`using gin (${name})`] : []),
  ])
  table.indexes.push({
    name: freshName(`${slug(table.name)}_index`, table.indexes),
    column: name,
    how,
  })
}
const addPolicy: Part = (table, random) => {
  table.policies.push({
    name: freshName(
      random.chance(0.2) ? `Policy of ${slug(table.name)}` : 'policy',
      table.policies,
    ),
    command: random.pick(['all', 'select', 'update', 'delete', 'insert']),
    roles: random.pick(['anon', 'authenticated', 'anon, authenticated', 'public', 'current_user']),
    permissive: random.chance(0.8),
    using: policyText(table, random),
  })
}
export function policyText(table: ModelTable, random: Random): string {
  const column = table.columns.length === 0 ? undefined : random.pick(table.columns)
  return random.pick([
    'true',
    'id > 3',
    'auth.uid() is not null',
    'twice(id) > 3',
    'allowed(id)',
    'counted() > id',
    ...(column === undefined
      ? []
      : [
          `${column.name} is not null`,
          `exists (select from ${table.name === 'group' ? '"group"' : `"${table.name}"`} as other where other.${column.name} is not null)`,
        ]),
  ])
}
const addTrigger: Part = (table, random) => {
  table.triggers.push({
    name: freshName('stamped', table.triggers),
    when: random.pick([
      'before insert',
      'before insert or update',
      'before update of id',
      'after delete',
    ]),
    disabled: random.chance(0.2),
  })
}
const addStatistics: Part = (table) => {
  const usable = table.columns.filter(
    ({ generated, type }) => !/json|\[\]|pair/.test(type) && generated === undefined,
  )
  const [one, other] = usable
  if (one === undefined || other === undefined || table.statistics.length > 0) return
  table.statistics.push({ name: `${slug(table.name)}_stats`, columns: [one.name, other.name] })
}
const addGrant: Part = (table, random) => {
  const column = table.columns[0]?.name
  table.grants.push(
    random.pick([
      'revoke all on % from anon',
      'revoke delete, update on % from authenticated',
      'grant insert on % to anon',
      'grant truncate on % to service_role with grant option',
      'revoke all on % from authenticated, service_role',
      ...(column === undefined
        ? []
        : [`grant select (${column}), update (${column}) on % to anon`]),
    ]),
  )
}
const addComment: Part = (table, random) => {
  const column =
    random.chance(0.5) || table.columns.length === 0 ? '' : random.pick(table.columns).name
  table.comments[column] = random.pick(['about', "it''s", 'Long\\ text', 'über'])
}
export const ADD_PARTS: readonly Part[] = [
  addCheck,
  addUnique,
  addReference,
  addIndex,
  addPolicy,
  addTrigger,
  addStatistics,
  addGrant,
  addComment,
]

export function randomModel(random: Random): Model {
  const model: Model = {
    enums: [
      { name: 'mood', labels: ['sad', 'ok', 'glad'] },
      ...(random.chance(0.6) ? [{ name: 'state', labels: ['open', 'done'] }] : []),
    ],
    domains: random.chance(0.7) ? [{ name: 'positive', base: 'integer', limit: 1000 }] : [],
    composites: random.chance(0.5)
      ? [
          {
            name: 'pair',
            attributes: [
              { name: 'a', type: 'integer' },
              { name: 'b', type: 'text' },
            ],
          },
        ]
      : [],
    sequences: [{ name: 'tickets', increment: 1, cycle: false }],
    functions: [
      { name: 'twice', argument: 'integer', body: 'n * 2', volatility: 'immutable' },
      ...(random.chance(0.6) ? [allowed('integer')] : []),
    ],
    readers: [],
    tables: TABLES.filter(() => random.chance(0.6)).map((name) => randomTable(random, name)),
    views: [],
    defaultPrivileges: [],
  }
  if (model.tables.length === 0) model.tables.push(randomTable(random, 'orders'))
  for (let count = random.below(3); count > 0; count -= 1) addView(model, random)
  if (random.chance(0.4)) addReader(model, random)
  return model
}

export function allowed(argument: string): ModelFunction {
  const volatility = 'stable security definer'
  return { name: 'allowed', argument, body: 'n > 0', volatility, returns: 'boolean' }
}

export const addReader: Change = (model, random) => {
  const table = random.pick(model.tables).name
  model.readers = [{ name: 'counted', table, atomic: random.chance(0.5) }]
}

export type Change = (model: Model, random: Random) => void

export const addView: Change = (model, random) => {
  const table = random.pick(model.tables)
  const name = freshName('shown', model.views)
  model.views.push({
    name,
    table: table.name,
    columns: table.columns.filter(() => random.chance(0.6)).map((column) => column.name),
    ...(table.columns.length > 0 && random.chance(0.4)
      ? { filter: { column: random.pick(table.columns).name } }
      : {}),
    materialized: random.chance(0.3),
    invoker: random.chance(0.4),
    ...(random.chance(0.3) ? { over: `${name}_sum` } : {}),
  })
}

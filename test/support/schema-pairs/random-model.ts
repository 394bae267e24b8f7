// Random schemas, and random changes of a schema. Equal seeds give equal pairs.
import { createRandom, type Random as SoakRandom } from '../../soak/random.ts'
import {
  columnsOf,
  type Model,
  type ModelColumn,
  type ModelTable,
  renderModel,
  renderReferences,
} from './schema-model.ts'

export interface SchemaPair {
  readonly seed: number
  readonly before: string
  readonly after: string
  /** The parts of `before` that come before and after the rows. */
  readonly beforeParts: readonly [tables: string, references: string]
  /** Inserts rows into the tables of the first schema. Every foreign key refers to row 1. */
  readonly rows: string
}

/** Returns a schema, and the same schema after 1 to 30 changes or, each fifth time, a schema of its own. */
export function schemaPair(seed: number): SchemaPair {
  const random = randomOf(seed)
  const before = randomModel(random)
  const after = seed % 5 === 4 ? randomModel(random) : structuredClone(before)
  const count = 1 + random.below(random.chance(0.6) ? 8 : 30)
  for (let index = 0; index < count; index += 1) random.pick(CHANGES)(after, random)
  const beforeParts = [renderModel(before), renderReferences(before)] as const
  return {
    seed,
    before: beforeParts.join(''),
    after: renderModel(after) + renderReferences(after),
    beforeParts,
    rows: rowsOf(before),
  }
}

interface Random extends Pick<SoakRandom, 'below' | 'pick'> {
  chance(probability: number): boolean
}

function randomOf(seed: number): Random {
  const { below, pick } = createRandom(seed)
  return { below, pick, chance: (probability) => below(1_000) < probability * 1_000 }
}

const TABLES = ['customers', 'orders', 'Order Lines', 'notes', 'events', 'group']
const COLUMNS = [
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
const TYPES: Record<string, readonly string[]> = {
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

function randomColumn(random: Random, name: string): ModelColumn {
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

function randomTable(random: Random, name: string): ModelTable {
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
    partitioned: random.chance(0.15),
    partitions: [],
  }
  if (table.partitioned) table.partitions = [{ name: `${slug(name)}_p1`, from: 0, to: 100 }]
  for (const add of [...ADD_PARTS, ...ADD_PARTS]) if (random.chance(0.4)) add(table, random)
  if (random.chance(0.3)) addGenerated(table, random)
  return table
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/\W/g, '_')

function numericColumn(table: ModelTable, random: Random): ModelColumn | undefined {
  const found = table.columns.filter(
    ({ generated, type }) => NUMERIC.test(type) && generated === undefined,
  )
  return found.length === 0 ? undefined : random.pick(found)
}

function addGenerated(table: ModelTable, random: Random): void {
  const base = numericColumn(table, random)
  if (base === undefined || table.columns.some(({ name }) => name === 'c_generated')) return
  const text =
    base.type === 'integer' && random.chance(0.4) ? `twice(${base.name})` : `${base.name} + 1`
  table.columns.push({ name: 'c_generated', type: base.type, notNull: false, generated: text })
}

function freshName(base: string, taken: readonly { readonly name: string }[]): string {
  let number = 1
  while (taken.some(({ name }) => name === `${base}_${number}`)) number += 1
  return `${base}_${number}`
}

type Part = (table: ModelTable, random: Random) => void

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
function policyText(table: ModelTable, random: Random): string {
  const column = table.columns.length === 0 ? undefined : random.pick(table.columns)
  return random.pick([
    'true',
    'id > 3',
    'auth.uid() is not null',
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
const ADD_PARTS: readonly Part[] = [
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

function randomModel(random: Random): Model {
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
    functions: [{ name: 'twice', argument: 'integer', body: 'n * 2', volatility: 'immutable' }],
    tables: TABLES.filter(() => random.chance(0.6)).map((name) => randomTable(random, name)),
    views: [],
    defaultPrivileges: [],
  }
  if (model.tables.length === 0) model.tables.push(randomTable(random, 'orders'))
  for (let count = random.below(3); count > 0; count -= 1) addView(model, random)
  return model
}

type Change = (model: Model, random: Random) => void

const addView: Change = (model, random) => {
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

const onTable =
  (change: Part): Change =>
  (model, random) => {
    if (model.tables.length > 0) change(random.pick(model.tables), random)
  }
const remove = <Member>(members: Member[], random: Random): Member | undefined =>
  members.splice(random.below(Math.max(1, members.length)), 1)[0]
const onColumn = (change: (column: ModelColumn, random: Random) => void): Change =>
  onTable((table, random) => {
    if (table.columns.length > 0) change(random.pick(table.columns), random)
  })

const retype = onColumn((column, random) => {
  if (column.generated !== undefined) return
  delete column.default
  delete column.identity
  column.type = random.pick(Object.keys(TYPES))
  const presets = TYPES[column.type] ?? []
  if (presets.length > 0 && random.chance(0.4)) column.default = random.pick(presets)
})
const redefault = onColumn((column, random) => {
  if (column.generated !== undefined || column.identity !== undefined) return
  const presets = TYPES[column.type] ?? []
  if (column.default !== undefined && random.chance(0.4)) delete column.default
  else if (presets.length > 0) column.default = random.pick(presets)
})
const identityChange = onColumn((column, random) => {
  if (column.type !== 'integer' || column.generated !== undefined) return
  delete column.default
  if (column.identity !== undefined && random.chance(0.5)) delete column.identity
  else {
    column.identity = column.identity === 'always' ? 'by default' : 'always'
    column.notNull = true
  }
})

const CHANGES: readonly Change[] = [
  (model, random) => {
    const free = TABLES.filter((name) => !model.tables.some((table) => table.name === name))
    if (free.length > 0) model.tables.push(randomTable(random, random.pick(free)))
  },
  (model, random) => {
    if (model.tables.length > 1) remove(model.tables, random)
  },
  ...[1, 2].map(
    (): Change =>
      onTable((table, random) => {
        const free = COLUMNS.filter((name) => !table.columns.some((column) => column.name === name))
        if (free.length > 0) table.columns.push(randomColumn(random, random.pick(free)))
      }),
  ),
  ...[1, 2].map(
    (): Change =>
      onTable((table, random) => {
        remove(table.columns, random)
      }),
  ),
  retype,
  retype,
  redefault,
  identityChange,
  onColumn((column) => {
    if (column.identity === undefined) column.notNull = !column.notNull
  }),
  onTable((table, random) => {
    const at = table.columns.findIndex(({ name }) => name === 'c_generated')
    if (at < 0) addGenerated(table, random)
    else if (random.chance(0.3)) table.columns.splice(at, 1)
    else if (random.chance(0.4)) delete table.columns[at]?.generated
    else {
      table.columns.splice(at, 1)
      addGenerated(table, random)
    }
  }),
  ...ADD_PARTS.map(onTable),
  onTable((table, random) => {
    remove(table.checks, random)
  }),
  onTable((table, random) => {
    remove(table.uniques, random)
  }),
  onTable((table, random) => {
    remove(table.references, random)
  }),
  onTable((table, random) => {
    remove(table.indexes, random)
  }),
  onTable((table, random) => {
    remove(table.policies, random)
  }),
  onTable((table, random) => {
    remove(table.triggers, random)
  }),
  onTable((table, random) => {
    remove(table.grants, random)
  }),
  onTable((table) => {
    table.comments = {}
  }),
  onTable((table) => {
    table.rowSecurity = !table.rowSecurity
  }),
  onTable((table) => {
    table.forced = !table.forced
  }),
  onTable((table) => {
    table.options = table.options === '' ? ' with (fillfactor = 60)' : ''
  }),
  onTable((table, random) => {
    const policy = table.policies[0]
    if (policy === undefined) return
    policy.using = policyText(table, random)
    if (random.chance(0.4)) policy.roles = random.pick(['anon', 'authenticated', 'service_role'])
    if (random.chance(0.2)) policy.command = random.pick(['all', 'select', 'insert'])
  }),
  onTable((table) => {
    const trigger = table.triggers[0]
    if (trigger !== undefined) trigger.disabled = !trigger.disabled
  }),
  onTable((table, random) => {
    const reference = table.references[0]
    if (reference !== undefined)
      reference.action = random.pick(['cascade', 'no action', 'restrict'])
  }),
  onTable((table) => {
    if (!table.partitioned) return
    const last = table.partitions.at(-1)?.to ?? 0
    table.partitions.push({
      name: freshName(`${slug(table.name)}_more`, table.partitions),
      from: last,
      to: last + 100,
    })
  }),
  (model, random) => {
    const one = random.pick(model.enums)
    const label = random.pick(['new', 'odd', 'last', 'mad'])
    if (!one.labels.includes(label))
      one.labels.splice(random.below(one.labels.length + 1), 0, label)
  },
  (model, random) => {
    const one = random.pick(model.enums)
    if (one.labels.length > 1) remove(one.labels, random)
  },
  (model) => {
    for (const domain of model.domains) domain.limit += 5
  },
  (model, random) => {
    for (const domain of model.domains) domain.base = random.pick(['integer', 'bigint'])
  },
  (model, random) => {
    for (const domain of model.domains)
      if (domain.default === undefined) domain.default = String(random.below(9))
      else delete domain.default
  },
  (model) => {
    for (const { attributes } of model.composites)
      attributes.push({ name: freshName('extra', attributes), type: 'date' })
  },
  (model, random) => {
    for (const sequence of model.sequences) {
      sequence.increment = 1 + random.below(5)
      sequence.cycle = random.chance(0.5)
    }
  },
  (model, random) => {
    for (const one of model.functions) {
      if (one.name === 'shift') continue
      one.body = random.pick(['n * 2', 'n + n', 'n * 3'])
      one.volatility = random.pick([
        'immutable',
        'immutable',
        'immutable parallel safe',
        'immutable strict',
      ])
    }
  },
  (model, random) => {
    const at = model.functions.findIndex(({ name }) => name === 'shift')
    if (at >= 0) model.functions.splice(at, 1)
    else
      model.functions.push({
        name: 'shift',
        argument: random.pick(['bigint', 'text']),
        body: 'n',
        volatility: 'stable',
        comment: 'moves',
      })
  },
  (model, random) => {
    for (const one of model.functions)
      if (one.name === 'shift') one.argument = random.pick(['integer', 'bigint', 'uuid'])
  },
  addView,
  (model, random) => {
    remove(model.views, random)
  },
  (model, random) => {
    const view = model.views[0]
    const table = model.tables.find(({ name }) => name === view?.table)
    if (view !== undefined && table !== undefined)
      view.columns = table.columns.filter(() => random.chance(0.6)).map(({ name }) => name)
  },
  (model) => {
    const view = model.views[0]
    if (view !== undefined) view.materialized = !view.materialized
  },
  (model, random) => {
    model.defaultPrivileges.push(
      random.pick([
        'alter default privileges grant trigger on tables to service_role',
        'alter default privileges revoke execute on functions from public',
        'alter default privileges grant usage on sequences to authenticated',
      ]),
    )
  },
]

/** Values for the columns that have no default, as far as their type is simple. */
const VALUES: Record<string, string> = {
  integer: 'n',
  bigint: 'n',
  smallint: 'n',
  'numeric(10,2)': 'n + 0.25',
  'numeric(6,1)': 'n + 0.5',
  text: "'text ' || n",
  'character varying(20)': "'varying ' || n",
  'character varying(5)': "'v' || n",
  boolean: 'n > 1',
  date: "date '2026-01-01' + n",
  'timestamp with time zone': "timestamptz '2026-01-01 00:00Z'",
  uuid: "('00000000-0000-0000-0000-00000000000' || n)::uuid",
  jsonb: "jsonb_build_object('n', n)",
  json: "json_build_object('n', n)",
  'text[]': "array['a', n::text]",
  mood: '(enum_range(null::mood))[1 + n % cardinality(enum_range(null::mood))]',
  state: '(enum_range(null::state))[1 + n % cardinality(enum_range(null::state))]',
  'mood[]': 'enum_range(null::mood)',
  positive: 'n',
  pair: "row(n, 'b')::pair",
}

function rowsOf(model: Model): string {
  const statements = model.tables.map((table) => {
    const columns = columnsOf(table, model).filter(
      ({ generated, identity }) => generated === undefined && identity === undefined,
    )
    const names = ['id', ...columns.map(({ name }) => name)]
    const foreign = new Set(table.references.map(({ column }) => column))
    const values = [
      'n',
      ...columns.map(({ name, type }) => (foreign.has(name) ? '1' : (VALUES[type] ?? 'null'))),
    ]
    return `insert into "${table.name}" (${names.join(', ')}) select ${values.join(', ')} from generate_series(1, 3) as n on conflict do nothing;\n`
  })
  return statements.join('')
}

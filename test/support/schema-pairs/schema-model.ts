// A schema as plain data that can be changed and rendered as SQL, for generated pairs of schemas.

export interface ModelColumn {
  name: string
  type: string
  notNull: boolean
  default?: string
  generated?: string
  virtual?: boolean
  identity?: 'always' | 'by default'
}

export interface ModelPolicy {
  name: string
  command: string
  roles: string
  permissive: boolean
  using: string
}

export interface ModelTable {
  name: string
  columns: ModelColumn[]
  checks: { name: string; column: string; text: string }[]
  uniques: { name: string; columns: string[] }[]
  references: { name: string; column: string; table: string; action: string }[]
  indexes: { name: string; column: string; how: string }[]
  policies: ModelPolicy[]
  triggers: { name: string; when: string; disabled: boolean }[]
  statistics: { name: string; columns: [string, string] }[]
  rowSecurity: boolean
  forced: boolean
  options: string
  grants: string[]
  comments: Record<string, string>
  partitioned: boolean
  /** Partitions of the table. A partition without bounds is the default partition. */
  partitions: { name: string; from?: number; to?: number; indexed?: boolean }[]
  heirs: ModelHeir[]
}

/** A table that inherits from another one. */
export interface ModelHeir {
  name: string
  /** Whether the table has a column of its own. */
  extra: boolean
  /** Columns of the parent that the table also declares itself. */
  merged: string[]
}

export interface ModelView {
  name: string
  table: string
  columns: string[]
  filter?: { column: string }
  materialized: boolean
  invoker: boolean
  over?: string
}

export interface ModelFunction {
  name: string
  argument: string
  body: string
  volatility: string
  comment?: string
  returns?: string
}

/** A function that reads a table. For an atomic body, Postgres records which objects the statements need. */
export interface ModelReader {
  name: string
  table: string
  atomic: boolean
}

export interface Model {
  enums: { name: string; labels: string[] }[]
  domains: { name: string; base: string; limit: number; default?: string; notNull?: boolean }[]
  composites: { name: string; attributes: { name: string; type: string }[] }[]
  sequences: { name: string; increment: number; cycle: boolean }[]
  functions: ModelFunction[]
  readers: ModelReader[]
  tables: ModelTable[]
  views: ModelView[]
  defaultPrivileges: string[]
}

const QUOTED = /[^a-z0-9_]|^group$/
const quote = (name: string): string => (QUOTED.test(name) ? `"${name}"` : name)

/** Renders the schema as a script of the owner, without foreign keys. Parts that name a missing column or table are left out. */
export function renderModel(model: Model): string {
  const statements = [
    ...model.enums.map(
      ({ labels, name }) =>
        `create type ${name} as enum (${labels.map((one) => `'${one}'`).join(', ')})`,
    ),
    ...model.domains.map(
      ({ base, default: preset, limit, name, notNull }) =>
        `create domain ${name} as ${base}${preset === undefined ? '' : ` default ${preset}`} constraint ${name}_limit check (value < ${limit})${notNull ? ' not null' : ''}`,
    ),
    ...model.composites.map(
      ({ attributes, name }) =>
        `create type ${name} as (${attributes.map((one) => `${one.name} ${one.type}`).join(', ')})`,
    ),
    ...model.sequences.map(
      ({ cycle, increment, name }) =>
        `create sequence ${name} increment by ${increment}${cycle ? ' cycle' : ''}`,
    ),
    ...model.functions.flatMap(renderFunction),
    'create function stamp() returns trigger language plpgsql as $$ begin return new; end $$',
    ...model.tables.flatMap((table) => renderTable(table, model)),
    ...model.readers.flatMap((reader) => renderReader(reader, model)),
    ...model.tables.flatMap((table) => renderPolicies(table, model)),
    ...model.views.flatMap((view) => renderView(view, model)),
    ...model.defaultPrivileges,
  ]
  return `${statements.join(';\n')};\n`
}

function renderReader({ atomic, name, table }: ModelReader, model: Model): string[] {
  if (!model.tables.some((one) => one.name === table)) return []
  const query = `select count(*) from ${quote(table)}`
  const body = atomic ? `begin atomic ${query}; end` : `as $$ ${query} $$`
  return [`create function ${name}() returns bigint language sql stable ${body}`]
}

function renderFunction({
  argument,
  body,
  comment,
  name,
  returns = argument,
  volatility,
}: ModelFunction): string[] {
  return [
    `create function ${name}(n ${argument}) returns ${returns} language sql ${volatility} as $$ select ${body} $$`,
    ...(comment === undefined ? [] : [`comment on function ${name}(${argument}) is '${comment}'`]),
  ]
}

function typeExists(type: string, model: Model): boolean {
  const own = type.replace('[]', '')
  const all = [...model.enums, ...model.domains, ...model.composites].map(({ name }) => name)
  return !/^(mood|state|positive|pair)$/.test(own) || all.includes(own)
}

/** The columns that can be rendered: those whose type exists. */
export function columnsOf(table: ModelTable, model: Model): ModelColumn[] {
  return table.columns.filter(({ type }) => typeExists(type, model))
}

function defaultOf(column: ModelColumn, model: Model): string | undefined {
  const text = column.default
  if (text === undefined) return undefined
  const label = /^'(.*)'::(mood|state)$/.exec(text)
  if (label !== null)
    return model.enums.find(({ name }) => name === label[2])?.labels.includes(label[1] ?? '')
      ? text
      : undefined
  const sequence = /nextval\('(\w+)'\)/.exec(text)?.[1]
  if (sequence !== undefined && !model.sequences.some(({ name }) => name === sequence))
    return undefined
  const called = /^(twice|shift)\(/.exec(text)?.[1]
  if (called !== undefined && !model.functions.some(({ name }) => name === called)) return undefined
  return text
}

function columnSql(column: ModelColumn, model: Model, types: ReadonlyMap<string, string>): string {
  const preset = defaultOf(column, model)
  const base = column.generated?.replace(/.*\b(c_\w+)\b.*/s, '$1')
  const type = types.get(base ?? '')
  const generated =
    column.generated !== undefined &&
    canCheck(type, column.generated) &&
    canCall(column.generated, model)
  const parts = [
    quote(column.name),
    column.type,
    ...(column.notNull ? ['not null'] : []),
    ...(generated
      ? [`generated always as (${column.generated}) ${column.virtual ? 'virtual' : 'stored'}`]
      : []),
    ...(!generated && column.identity ? [`generated ${column.identity} as identity`] : []),
    ...(!generated && !column.identity && preset ? [`default ${preset}`] : []),
  ]
  return parts.join(' ')
}

const NUMERIC = /^(integer|bigint|smallint|numeric)/

function canCheck(type: string | undefined, text: string): boolean {
  return type !== undefined && (text.includes('twice(') ? type === 'integer' : NUMERIC.test(type))
}

function canIndex(type: string | undefined, how: string): boolean {
  if (type === undefined || how.includes('c_virtual')) return false
  if (how.includes('twice(')) return type === 'integer'
  return how.includes('gin') ? type === 'jsonb' : type !== 'json'
}

function canCall(text: string, model: Model): boolean {
  const called = /\b(twice|shift)\(/.exec(text)?.[1]
  const found = model.functions.find(({ name }) => name === called)
  return called === undefined || (found !== undefined && found.volatility === 'immutable')
}

function renderTable(table: ModelTable, model: Model): string[] {
  const columns = columnsOf(table, model)
  const names = columns.map(({ name }) => name)
  const has = (name: string) => names.includes(name)
  const types = new Map(columns.map((column) => [column.name, column.type]))
  const isSortable = (column: string) => types.get(column) !== 'json' && column !== 'c_virtual'
  const name = quote(table.name)
  const elements = [
    `id integer constraint ${quote(`${table.name}_pkey`)} primary key`,
    ...columns.map((column) => columnSql(column, model, types)),
    ...table.checks
      .filter(({ column, text }) => canCheck(types.get(column), text) && canCall(text, model))
      .map((one) => `constraint ${one.name} check (${one.text})`),
    ...(table.partitioned
      ? []
      : table.uniques
          .filter((one) => one.columns.every(has) && one.columns.every(isSortable))
          .map((one) => `constraint ${one.name} unique (${one.columns.map(quote).join(', ')})`)),
  ]
  const options = table.partitioned ? ' partition by range (id)' : table.options
  return [
    `create table ${name} (\n  ${elements.join(',\n  ')})${options}`,
    ...(table.partitioned
      ? table.partitions.flatMap(({ from, indexed, name: partition, to }) => [
          `create table ${partition} partition of ${name} ${from === undefined ? 'default' : `for values from (${from}) to (${to})`}`,
          ...(indexed ? [`create index ${partition}_own on ${partition} (id desc)`] : []),
        ])
      : table.heirs.map((heir) => heirSql(heir, table, model))),
    ...table.indexes
      .filter(({ column, how }) => canIndex(types.get(column), how) && canCall(how, model))
      .map((one) => `create index ${one.name} on ${name} ${one.how}`),
    ...table.statistics
      .filter((one) => one.columns.every(has) && one.columns.every(isSortable))
      .map(
        (one) =>
          `create statistics ${one.name} on ${one.columns.map(quote).join(', ')} from ${name}`,
      ),
    ...(table.rowSecurity ? [`alter table ${name} enable row level security`] : []),
    ...(table.forced ? [`alter table ${name} force row level security`] : []),
    ...table.triggers.flatMap((one) => [
      `create trigger ${one.name} ${one.when} on ${name} for each row execute function stamp()`,
      ...(one.disabled ? [`alter table ${name} disable trigger ${one.name}`] : []),
    ]),
    ...table.grants
      .filter((grant) => mentioned(grant).every(has))
      .map((grant) => grant.replaceAll('%', name)),
    ...Object.entries(table.comments)
      .filter(([column]) => column === '' || has(column))
      .map(([column, text]) =>
        column === ''
          ? `comment on table ${name} is '${text}'`
          : `comment on column ${name}.${quote(column)} is '${text}'`,
      ),
  ]
}

function heirSql({ extra, merged, name }: ModelHeir, table: ModelTable, model: Model): string {
  const columns = columnsOf(table, model).filter(
    (column) => merged.includes(column.name) && column.generated === undefined,
  )
  const own = columns.map((column) => `${column.name} ${column.type}`)
  return `create table ${name} (${[...own, ...(extra ? ['own_extra integer'] : [])].join(', ')}) inherits (${quote(table.name)})`
}

function renderPolicies(table: ModelTable, model: Model): string[] {
  const names = new Set(columnsOf(table, model).map(({ name }) => name))
  const functions = new Set([
    ...model.functions.map(({ name }) => name),
    ...model.readers
      .filter((reader) => model.tables.some(({ name }) => name === reader.table))
      .map(({ name }) => name),
  ])
  return table.policies
    .filter(({ using }) => mentioned(using).every((name) => names.has(name)))
    .filter(({ using }) =>
      [...using.matchAll(/\b(twice|allowed|counted)\(/g)].every(([, one = '']) =>
        functions.has(one),
      ),
    )
    .map(policySql(quote(table.name)))
}

/** Returns the column names in a text. All generated names of columns begin with `c_`. */
function mentioned(text: string): string[] {
  return text.match(/\bc_\w+/g) ?? []
}

function policySql(table: string) {
  return ({ command, name, permissive, roles, using }: ModelPolicy): string => {
    const as = permissive ? '' : ' as restrictive'
    const check = command === 'insert' ? `with check (${using})` : `using (${using})`
    return `create policy ${quote(name)} on ${table}${as} for ${command} to ${roles} ${check}`
  }
}

/** Renders the foreign keys. */
export function renderReferences(model: Model): string {
  return model.tables
    .flatMap((table) => referencesOf(table, model))
    .map((one) => `${one};\n`)
    .join('')
}

function referencesOf(table: ModelTable, model: Model): string[] {
  const columns = columnsOf(table, model)
  return table.references.flatMap((one) => {
    const column = columns.find(({ name }) => name === one.column)
    const isFit = column?.type === 'integer' && model.tables.some(({ name }) => name === one.table)
    return isFit && column?.generated === undefined && column.identity === undefined
      ? [
          `alter table ${quote(table.name)} add constraint ${one.name} foreign key (${one.column}) references ${quote(one.table)} (id) on delete ${one.action}`,
        ]
      : []
  })
}

/**
 * Whether forced policies call a function whose text names a table. Postgres fills a materialised view with an empty search path,
 * so that the function does not find the table.
 */
function isReadByText(table: ModelTable, model: Model): boolean {
  const isCalled = renderPolicies(table, model).some((policy) => policy.includes('counted('))
  return table.forced && isCalled && model.readers.some(({ atomic }) => !atomic)
}

function renderView(view: ModelView, model: Model): string[] {
  const table = model.tables.find(({ name }) => name === view.table)
  if (table === undefined) return []
  const has = new Set(columnsOf(table, model).map(({ name }) => name))
  const columns = ['id', ...view.columns.filter((column) => has.has(column))].map(quote)
  const filter =
    view.filter !== undefined && has.has(view.filter.column)
      ? ` where ${quote(view.filter.column)} is not null`
      : ''
  const materialized = view.materialized && !isReadByText(table, model)
  const options = !materialized && view.invoker ? ' with (security_invoker = true)' : ''
  const name = quote(view.name)
  return [
    `create ${materialized ? 'materialized ' : ''}view ${name}${options} as select ${columns.join(', ')} from ${quote(table.name)}${filter}`,
    ...(materialized ? [`create unique index ${view.name}_id on ${name} (id)`] : []),
    ...(view.over === undefined
      ? []
      : [`create view ${view.over} as select count(*) as n, max(id) as last from ${name}`]),
  ]
}

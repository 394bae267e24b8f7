// Random changes of a schema.

import {
  ADD_PARTS,
  addGenerated,
  addHeir,
  addReader,
  addView,
  addVirtual,
  allowed,
  type Change,
  COLUMNS,
  freshName,
  type Part,
  policyText,
  type Random,
  randomColumn,
  randomTable,
  slug,
  TABLES,
  TYPES,
} from './random-tables.ts'
import type { ModelColumn } from './schema-model.ts'

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

export const CHANGES: readonly Change[] = [
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
  onTable((table, random) => {
    const at = table.columns.findIndex(({ name }) => name === 'c_virtual')
    if (at >= 0) table.columns.splice(at, 1)
    if (at < 0 || random.chance(0.6)) addVirtual(table, random)
  }),
  onTable((table, random) => {
    if (table.partitioned) return
    const heir = table.heirs[0]
    if (heir === undefined || random.chance(0.2)) addHeir(table, random)
    else if (random.chance(0.3)) table.heirs.shift()
    else if (random.chance(0.4)) heir.extra = !heir.extra
    else if (random.chance(0.5)) remove(heir.merged, random)
    else heir.merged.push(...table.columns.slice(0, 1).map(({ name }) => name))
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
  onTable((table, random) => {
    if (!table.partitioned) return
    const last = Math.max(0, ...table.partitions.map(({ to = 0 }) => to))
    const name = freshName(`${slug(table.name)}_more`, table.partitions)
    const choice = random.below(6)
    const [first] = table.partitions
    const hasDefault = table.partitions.some(({ from }) => from === undefined)
    if (choice === 0 && table.partitions.length > 1) remove(table.partitions, random)
    else if (choice === 1 && first !== undefined) first.indexed = !first.indexed
    else if (choice === 2 && !hasDefault) table.partitions.push({ name })
    else if (choice === 3 && first?.to !== undefined && table.partitions.length === 1)
      first.to += 50
    else table.partitions.push({ name, from: last, to: last + 100 })
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
    for (const domain of model.domains) domain.notNull = !domain.notNull
  },
  (model, random) => {
    for (const { attributes } of model.composites) {
      const last = attributes.at(-1)
      if (random.chance(0.2) && attributes.length > 1) attributes.pop()
      else if (random.chance(0.2) && last !== undefined) last.type = random.pick(['text', 'date'])
      else attributes.push({ name: freshName('extra', attributes), type: 'date' })
    }
  },
  (model, random) => {
    if (!random.chance(0.3)) return
    if (model.domains.length > 0) model.domains = []
    else model.domains = [{ name: 'positive', base: 'integer', limit: 1000 }]
  },
  (model, random) => {
    const at = model.functions.findIndex(({ name }) => name === 'allowed')
    if (at >= 0) model.functions.splice(at, 1)
    if (at < 0 || random.chance(0.7))
      model.functions.push(allowed(random.pick(['integer', 'bigint', 'numeric'])))
  },
  (model, random) => {
    if (model.readers.length > 0 && random.chance(0.4)) model.readers = []
    else addReader(model, random)
  },
  (model, random) => {
    for (const sequence of model.sequences) {
      sequence.increment = 1 + random.below(5)
      sequence.cycle = random.chance(0.5)
    }
  },
  (model, random) => {
    for (const one of model.functions) {
      if (one.name !== 'twice') continue
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

// Compares what identities reach with an exposure contract. The audit compares one tenant; the command line compares what
// identities reach in all tenants together. Pure.
import {
  BUCKET_REACHES,
  EXPOSED_COMMANDS,
  EXPOSED_IDENTITIES,
  type ExposedBucket,
  type ExposedTable,
  type ExposureContract,
  REACHES,
  type Reach,
} from './exposure-contract.ts'

export type ExposedIdentity = (typeof EXPOSED_IDENTITIES)[number]
export type ExposedCommand = (typeof EXPOSED_COMMANDS)[number]
type BucketReach = ExposedBucket['anon']

/** Something that an identity reaches beyond the contract. */
export type Widening = { readonly identity: ExposedIdentity } & (
  | {
      readonly kind: 'table'
      readonly table: string
      readonly command: ExposedCommand
      /** The reach in the contract; `undefined` when the contract does not have the table. */
      readonly before: Reach | undefined
      readonly after: Reach
    }
  | {
      readonly kind: 'columns'
      readonly table: string
      readonly command: ExposedCommand
      readonly columns: readonly string[]
    }
  | { readonly kind: 'function'; readonly signature: string }
  | {
      readonly kind: 'bucket'
      readonly bucket: string
      readonly before: BucketReach | undefined
      readonly after: BucketReach
    }
)

export interface ExposureDifference {
  readonly widened: readonly Widening[]
  /** Sentences about differences that do not widen access. */
  readonly changes: readonly string[]
}

export function compareExposure(
  contract: ExposureContract,
  present: ExposureContract,
): ExposureDifference {
  const differences = [
    compareTables(contract, present),
    compareFunctions(contract, present),
    compareBuckets(contract, present),
  ]
  return {
    widened: differences.flatMap(({ widened }) => widened),
    changes: differences.flatMap(({ changes }) => changes),
  }
}

/** Label of an identity, as the audit shows it. */
export const IDENTITY_LABELS: Readonly<Record<ExposedIdentity, string>> = {
  anon: 'anon',
  new_user: 'new user',
}

const NO_TABLE: ExposedTable = {
  columns: [],
  anon: { select: 'none', insert: 'none', update: 'none', delete: 'none' },
  new_user: { select: 'none', insert: 'none', update: 'none', delete: 'none' },
}

function compareTables(
  { tables: agreed }: ExposureContract,
  { tables: now }: ExposureContract,
): ExposureDifference {
  const before = new Map(Object.entries(agreed))
  const after = new Map(Object.entries(now))
  const renamed = renamedTables(before, after)
  const widened: Widening[] = []
  const changes: string[] = []
  for (const [name, table] of after) {
    const was = renamed.get(name)
    const old = before.get(was ?? name)
    const found = compareTable(name, old, table)
    widened.push(...found.widened)
    if (was !== undefined)
      changes.push(
        `${was} is now called ${name}, which has the same columns. It was compared with the contract of ${was}.`,
      )
    else if (old === undefined && found.widened.length === 0)
      changes.push(`The contract does not have the table ${name}. No identity reaches its rows.`)
    changes.push(...found.changes)
  }
  const names = new Set(renamed.values())
  for (const name of before.keys())
    if (!(after.has(name) || names.has(name)))
      changes.push(`The table ${name} does not exist any more.`)
  return { widened, changes }
}

// A new table counts as the renamed form of a removed table when both have the same columns and no other such table does.
function renamedTables(
  before: ReadonlyMap<string, ExposedTable>,
  after: ReadonlyMap<string, ExposedTable>,
): ReadonlyMap<string, string> {
  const gone = byColumns(before, after)
  return new Map(
    [...byColumns(after, before)].flatMap(([columns, [name, ...others]]) => {
      const [was, ...rest] = gone.get(columns) ?? []
      const isClear = others.length === 0 && rest.length === 0
      return isClear && name !== undefined && was !== undefined ? [[name, was] as const] : []
    }),
  )
}

function byColumns(
  tables: ReadonlyMap<string, ExposedTable>,
  others: ReadonlyMap<string, ExposedTable>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const [name, { columns }] of tables) {
    const key = JSON.stringify(columns)
    if (!others.has(name)) groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return groups
}

function compareTable(
  table: string,
  before: ExposedTable | undefined,
  after: ExposedTable,
): ExposureDifference {
  const compared = EXPOSED_IDENTITIES.flatMap((identity) =>
    EXPOSED_COMMANDS.map((command) =>
      compareRight({ identity, table, command }, before ?? NO_TABLE, after, before === undefined),
    ),
  )
  return {
    widened: compared.flatMap(({ widened }) => widened),
    changes: compared.flatMap(({ changes }) => changes),
  }
}

function compareRight(
  at: TableRight,
  before: ExposedTable,
  after: ExposedTable,
  isNew: boolean,
): ExposureDifference {
  const { command, identity, table } = at
  const was = before[identity][command]
  const is = after[identity][command]
  const widened: Widening[] = []
  const changes: string[] = []
  if (rank(is) > rank(was))
    widened.push({ ...at, kind: 'table', before: isNew ? undefined : was, after: is })
  if (rank(is) < rank(was) && !isNew) changes.push(narrowedTable(at, was, is))
  if (!(touches(was) && touches(is))) return { widened, changes }
  const columns = columnsOf(after, identity, command)
  const known = columnsOf(before, identity, command)
  const added = minus(columns, known)
  if (added.length > 0) widened.push({ ...at, kind: 'columns', columns: added })
  const lost = minus(known, columns)
  if (lost.length > 0)
    changes.push(`${subject(at)} no longer ${VERBS[command]} ${columnText(lost)} of ${table}.`)
  return { widened, changes }
}

function rank(reach: Reach): number {
  return REACHES.indexOf(reach)
}

/** Whether the identity reaches a row. */
export function touches(reach: Reach): boolean {
  return rank(reach) > rank('none')
}

/** Returns the columns that a command reaches. Returns none for DELETE, because privileges for DELETE have no columns. */
export function columnsOf(
  table: ExposedTable,
  identity: ExposedIdentity,
  command: ExposedCommand,
): readonly string[] {
  if (command === 'delete') return []
  return table[identity].columns?.[command] ?? table.columns
}

function minus(some: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return some.filter((one) => !known.has(one))
}

interface TableRight {
  readonly identity: ExposedIdentity
  readonly table: string
  readonly command: ExposedCommand
}

const VERBS: Readonly<Record<ExposedCommand, string>> = {
  select: 'sees',
  insert: 'inserts',
  update: 'changes',
  delete: 'deletes',
}

function subject({ identity }: Pick<TableRight, 'identity'>): string {
  return IDENTITY_LABELS[identity]
}

function columnText(columns: readonly string[]): string {
  return `the ${columns.length === 1 ? 'column' : 'columns'} ${columns.join(', ')}`
}

const ROWS: Readonly<Record<Reach, string>> = {
  refused: 'no row',
  none: 'no row',
  some: 'some rows',
  all: 'every row',
}

const AGREED: Readonly<Record<Reach, string>> = {
  refused: 'The contract refuses it.',
  none: 'The contract allows no row.',
  some: 'The contract allows some rows.',
  all: 'The contract allows every row.',
}

function narrowedTable(at: TableRight, was: Reach, is: Reach): string {
  const { command, table } = at
  const how =
    is === 'refused'
      ? `has no ${command.toUpperCase()} on ${table} any more`
      : `now ${VERBS[command]} ${ROWS[is]} ${command === 'insert' ? 'into' : 'of'} ${table}`
  return `${subject(at)} ${how}. ${AGREED[was]}`
}

function compareFunctions(
  { functions: agreed }: ExposureContract,
  { functions: now }: ExposureContract,
): ExposureDifference {
  const before = new Map(Object.entries(agreed))
  const after = new Map(Object.entries(now))
  return {
    widened: [...after].flatMap(([signature, identities]) =>
      identities
        .filter((identity) => before.get(signature)?.includes(identity) !== true)
        .map((identity) => ({ kind: 'function' as const, identity, signature })),
    ),
    changes: [...before].flatMap(([signature, identities]) =>
      identities
        .filter((identity) => after.get(signature)?.includes(identity) !== true)
        .map(
          (identity) => `${subject({ identity })} no longer executes the function ${signature}.`,
        ),
    ),
  }
}

function compareBuckets(
  { buckets: agreed }: ExposureContract,
  { buckets: now }: ExposureContract,
): ExposureDifference {
  const before = new Map(Object.entries(agreed))
  const after = new Map(Object.entries(now))
  const widened: Widening[] = []
  const changes: string[] = []
  for (const bucket of new Set([...before.keys(), ...after.keys()])) {
    if (!after.has(bucket)) {
      changes.push(`The bucket ${bucket} does not exist any more.`)
      continue
    }
    for (const identity of EXPOSED_IDENTITIES) {
      const was = before.get(bucket)?.[identity]
      const is = after.get(bucket)?.[identity] ?? 'none'
      if (bucketRank(is) > bucketRank(was ?? 'none'))
        widened.push({ kind: 'bucket', identity, bucket, before: was, after: is })
      if (bucketRank(is) < bucketRank(was ?? 'none'))
        changes.push(
          `${subject({ identity })} no longer ${is === 'none' ? 'reads' : 'writes'} the files of the bucket ${bucket}.`,
        )
    }
  }
  return { widened, changes }
}

function bucketRank(reach: BucketReach): number {
  return BUCKET_REACHES.indexOf(reach)
}

/** Says in two sentences what an identity reaches and what the contract allows instead. */
export function wideningText(widening: Widening): string {
  const who = subject(widening)
  switch (widening.kind) {
    case 'table': {
      const { after, before, command, table } = widening
      const agreed = before === undefined ? 'The contract does not have the table.' : AGREED[before]
      if (after === 'none')
        return `${who} has ${command.toUpperCase()} on ${table}, and ${VERBS[command]} no row. ${agreed}`
      const place = command === 'insert' ? 'into' : 'of'
      return `${who} ${VERBS[command]} ${ROWS[after]} ${place} ${table}. ${agreed}`
    }
    case 'columns': {
      const { columns, command, table } = widening
      const it = columns.length === 1 ? 'it' : 'them'
      return `${who} ${VERBS[command]} ${columnText(columns)} of ${table}. The contract does not list ${it}.`
    }
    case 'function':
      return `${who} executes the function ${widening.signature}. The contract does not allow it.`
    case 'bucket': {
      const { after, before, bucket } = widening
      const does = after === 'write' ? 'reads and writes' : 'reads'
      const agreed =
        before === undefined
          ? 'The contract does not have the bucket.'
          : before === 'none'
            ? 'The contract allows no file.'
            : 'The contract allows reading only.'
      return `${who} ${does} every file of the bucket ${bucket}. ${agreed}`
    }
  }
}

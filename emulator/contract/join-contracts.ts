// Joins the contracts of several tenants into one contract, with the widest reach for each object. Pure.
import { columnsOf, type ExposedIdentity, touches } from './compare-exposure.ts'
import {
  BUCKET_REACHES,
  EXPOSED_COMMANDS,
  EXPOSED_IDENTITIES,
  EXPOSURE_FORMAT,
  EXPOSURE_VERSION,
  type ExposedTable,
  type ExposureContract,
  REACHES,
} from './exposure-contract.ts'

/** What identities reach in any of several tenants. */
export function joinContracts(contracts: readonly ExposureContract[]): ExposureContract {
  return contracts.reduce(join, NOTHING)
}

const NOTHING: ExposureContract = {
  format: EXPOSURE_FORMAT,
  version: EXPOSURE_VERSION,
  tables: {},
  functions: {},
  buckets: {},
}

function join(one: ExposureContract, other: ExposureContract): ExposureContract {
  return {
    ...one,
    tables: joined(one.tables, other.tables, joinTables),
    functions: joined(one.functions, other.functions, (some, more) =>
      EXPOSED_IDENTITIES.filter((identity) => some.includes(identity) || more.includes(identity)),
    ),
    buckets: joined(one.buckets, other.buckets, (some, more) => ({
      anon: widest(BUCKET_REACHES, some.anon, more.anon),
      new_user: widest(BUCKET_REACHES, some.new_user, more.new_user),
    })),
  }
}

function joined<Value>(
  one: Readonly<Record<string, Value>>,
  other: Readonly<Record<string, Value>>,
  both: (some: Value, more: Value) => Value,
): Readonly<Record<string, Value>> {
  const all = new Map(Object.entries(one))
  for (const [name, value] of Object.entries(other)) {
    const known = all.get(name)
    all.set(name, known === undefined ? value : both(known, value))
  }
  return sortedRecord(all)
}

/** Sorts a record by its names. The order does not depend on the machine's language. */
export function sortedRecord<Value>(
  entries: Iterable<readonly [string, Value]>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function joinTables(some: ExposedTable, more: ExposedTable): ExposedTable {
  const columns = [...new Set([...some.columns, ...more.columns])].toSorted()
  const ofIdentity = (identity: ExposedIdentity): ExposedTable['anon'] => {
    const reached = EXPOSED_COMMANDS.flatMap((command) => {
      if (command === 'delete') return []
      const both = [some, more].filter((table) => touches(table[identity][command]))
      const of = both.length === 0 ? [some, more] : both
      const names = new Set(of.flatMap((table) => columnsOf(table, identity, command)))
      return names.size === columns.length ? [] : [[command, [...names].toSorted()] as const]
    })
    const [one, other] = [some[identity], more[identity]]
    return {
      select: widest(REACHES, one.select, other.select),
      insert: widest(REACHES, one.insert, other.insert),
      update: widest(REACHES, one.update, other.update),
      delete: widest(REACHES, one.delete, other.delete),
      ...(reached.length === 0 ? {} : { columns: Object.fromEntries(reached) }),
    }
  }
  return { columns, anon: ofIdentity('anon'), new_user: ofIdentity('new_user') }
}

function widest<Value extends string>(all: readonly Value[], one: Value, other: Value): Value {
  return all.indexOf(one) > all.indexOf(other) ? one : other
}

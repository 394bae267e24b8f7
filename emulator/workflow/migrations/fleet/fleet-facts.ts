// Users and sizes of tenants. Reading both takes several milliseconds for each tenant, so they are kept and read again in small
// groups of tenants after a write.
import type { Clock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import { MINUTE_MILLIS } from '../../../core/time.ts'
import { type Engine, SqlError } from '../../../database/engine.ts'
import { readTogether } from '../../../database/read-together.ts'
import { join, literal, sql } from '../../../database/sql.ts'

export interface FactSources {
  readonly engine: Engine
  readonly wallClock: Clock
  /** Bytes of the project's files. */
  readonly storedBytes: (schemaName: SchemaName) => number
  readonly countUsers: (schemaName: SchemaName) => Promise<number>
  /** Returns a text that is different after every write to the schema; `undefined` while a write runs. */
  readonly versionOf: (schemaName: SchemaName) => string | undefined
}

export interface TenantFacts {
  readonly users: number
  /** Bytes of rows, indexes and files. */
  readonly sizeBytes: number
}

export interface FleetFacts {
  known(schemaName: SchemaName): TenantFacts | undefined
  /** Whether the facts were never read, or are a minute old and a write followed. */
  isStale(schemaName: SchemaName): boolean
  /** Reads the facts of these schemas. @throws {SqlError} when the database does not answer */
  read(schemaNames: readonly SchemaName[]): Promise<void>
}

interface KeptFacts extends TenantFacts {
  readonly version: string | undefined
  readonly readAt: number
}

export function createFleetFacts(sources: FactSources): FleetFacts {
  const { countUsers, engine, storedBytes, versionOf, wallClock } = sources
  const kept = new Map<string, KeptFacts>()
  return {
    known: (schemaName) => kept.get(schemaName),
    isStale: (schemaName) => {
      const facts = kept.get(schemaName)
      if (facts === undefined) return true
      const isOld = wallClock.now() - facts.readAt >= MINUTE_MILLIS
      return isOld && facts.version !== versionOf(schemaName)
    },
    read: async (schemaNames) => {
      if (schemaNames.length === 0) return
      const versions = schemaNames.map(versionOf)
      const bytes = await readBytes(engine, schemaNames)
      for (const [index, schemaName] of schemaNames.entries()) {
        const users = await countUsers(schemaName).catch((error: unknown) => {
          // A purge may drop the table before this query runs.
          if (error instanceof SqlError) return 0
          throw error
        })
        kept.set(schemaName, {
          users,
          sizeBytes: (bytes.get(schemaName) ?? 0) + storedBytes(schemaName),
          version: versions[index],
          readAt: wallClock.now(),
        })
      }
    },
  }
}

async function readBytes(
  engine: Engine,
  schemaNames: readonly SchemaName[],
): Promise<ReadonlyMap<string, number>> {
  const read = await readTogether(engine, schemaNames, (names) => [
    sql`select n.nspname as name, sum(pg_total_relation_size(c.oid)) as bytes
      from pg_namespace n join pg_class c on c.relnamespace = n.oid
      where n.nspname in (${join(names.map((name) => literal(name)))})
        and c.relkind in ('r', 'm')
      group by 1`,
  ])
  return new Map(read.map(({ bytes, name = '' }) => [name, Number(bytes ?? 0)]))
}

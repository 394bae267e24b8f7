// Users and database size of each project. Reading both takes several milliseconds for each project, so the values are kept and
// read again after a write. The overview and the fleet screen share the values, so that both show the same numbers.
import type { Clock } from '../../core/clock.ts'
import type { SchemaName } from '../../core/names.ts'
import { MINUTE_MILLIS } from '../../core/time.ts'
import { type Engine, SqlError } from '../../database/engine.ts'
import { readTogether } from '../../database/read-together.ts'
import { join, literal, sql } from '../../database/sql.ts'

export interface SizeSources {
  readonly engine: Engine
  readonly wallClock: Clock
  /** Bytes of the project's files. */
  readonly storedBytes: (schemaName: SchemaName) => number
  readonly countUsers: (schemaName: SchemaName) => Promise<number>
  /** Returns a text that is different after every write to the schema; `undefined` when a write can happen unseen. */
  readonly versionOf: (schemaName: SchemaName) => string | undefined
}

export interface ProjectSize {
  readonly users: number
  /** Bytes of rows and indexes. */
  readonly databaseBytes: number
}

export interface ProjectSizes {
  known(schemaName: SchemaName): ProjectSize | undefined
  /** Bytes of the project's files, always exact. */
  storedBytes(schemaName: SchemaName): number
  /**
   * Whether the size was never read, or the schema was written since. When writes can happen unseen, true one minute after the
   * last read.
   */
  isChanged(schemaName: SchemaName): boolean
  /** Like `isChanged`, but false during the minute after a read. */
  isOutdated(schemaName: SchemaName): boolean
  /** Reads the sizes of these schemas. @throws {SqlError} when the database does not answer */
  read(schemaNames: readonly SchemaName[]): Promise<void>
}

interface KeptSize extends ProjectSize {
  readonly version: string | undefined
  readonly readAt: number
}

/**
 * Number of projects in one query. Reading the size of a project with 60 tables takes 40 ms (measured), and other work waits
 * meanwhile.
 */
const READ_AT_ONCE = 5

export function createProjectSizes(sources: SizeSources): ProjectSizes {
  const { countUsers, engine, storedBytes, versionOf, wallClock } = sources
  const kept = new Map<string, KeptSize>()
  const isOld = ({ readAt }: KeptSize): boolean => wallClock.now() - readAt >= MINUTE_MILLIS
  return {
    known: (schemaName) => kept.get(schemaName),
    storedBytes,
    isChanged: (schemaName) => {
      const size = kept.get(schemaName)
      if (size === undefined) return true
      const version = versionOf(schemaName)
      return version === undefined ? isOld(size) : version !== size.version
    },
    isOutdated: (schemaName) => {
      const size = kept.get(schemaName)
      return size === undefined || (isOld(size) && size.version !== versionOf(schemaName))
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
          databaseBytes: bytes.get(schemaName) ?? 0,
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
  const sizes = new Map<string, number>()
  for (let first = 0; first < schemaNames.length; first += READ_AT_ONCE) {
    const read = await readTogether(
      engine,
      schemaNames.slice(first, first + READ_AT_ONCE),
      (names) => [
        sql`select n.nspname as name, sum(pg_total_relation_size(c.oid)) as bytes
          from pg_namespace n join pg_class c on c.relnamespace = n.oid
          where n.nspname in (${join(names.map((name) => literal(name)))})
            and c.relkind in ('r', 'm')
          group by 1`,
      ],
    )
    for (const { bytes, name = '' } of read) sizes.set(name, Number(bytes ?? 0))
  }
  return sizes
}

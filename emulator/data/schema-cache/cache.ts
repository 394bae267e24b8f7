// Schema caches by tenant: loaded at the first request, dropped when the schema may have changed.
import { cellText, type Engine } from '../../database/engine.ts'
import { script, verbatim } from '../../database/sql.ts'
import { loadSchemaCache, type SearchedSchemas } from './load.ts'
import type { SchemaCache } from './schema-cache.ts'

export interface SchemaCaches {
  /** The cache of these settings. Requests that arrive during a load wait for it. @throws {SqlError} */
  of(settings: SearchedSchemas): Promise<SchemaCache>
  /** Drops everything derived from the schema, including a load that is still running. */
  invalidate(schemaName: string): void
  /** Drops the caches of all tenants. */
  clear(): void
  /** Names of Postgres's time zones, loaded once. @throws {SqlError} */
  timeZones(): Promise<ReadonlySet<string>>
}

interface Entry {
  readonly schemas: readonly string[]
  readonly loading: Promise<SchemaCache>
}

export function createSchemaCaches(engine: Engine): SchemaCaches {
  const entries = new Map<string, Entry>()
  let version = 0
  let timeZones: Promise<ReadonlySet<string>> | undefined

  function load(key: string, settings: SearchedSchemas): Entry {
    version++
    const loading = loadSchemaCache(engine, settings, version)
    const entry: Entry = { schemas: settings.schemas, loading }
    entries.set(key, entry)
    // The next request repeats a failed load.
    loading.catch(() => {
      if (entries.get(key) === entry) entries.delete(key)
    })
    return entry
  }

  return {
    of: (settings) => {
      const { schemas, extraSearchPath } = settings
      const key = [...schemas, '', ...extraSearchPath].join('\0')
      return (entries.get(key) ?? load(key, settings)).loading
    },
    invalidate: (schemaName) => {
      for (const [key, entry] of entries)
        if (entry.schemas.includes(schemaName)) entries.delete(key)
    },
    clear: () => entries.clear(),
    timeZones: () => {
      timeZones ??= loadTimeZones(engine)
      timeZones.catch(() => {
        timeZones = undefined
      })
      return timeZones
    },
  }
}

async function loadTimeZones(engine: Engine): Promise<ReadonlySet<string>> {
  const [result] = await engine.admin(script([verbatim('select name from pg_timezone_names')]))
  return new Set(result?.rows.map((row) => cellText(row[0]) ?? ''))
}

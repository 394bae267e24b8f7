// Caches each tenant's schema. Loads it at the first request, and drops it after a possible schema change.
import { cellText, type Engine } from '../../../database/engine.ts'
import { script, verbatim } from '../../../database/sql.ts'
import { loadSchemaCache, type SearchedSchemas } from './load.ts'
import type { SchemaCache } from './schema-cache.ts'

export interface SchemaCaches {
  /** Returns the schema cache for these settings. Concurrent requests share one load. @throws {SqlError} */
  of(settings: SearchedSchemas): Promise<SchemaCache>
  /** Drops the tenant's caches and any load that is in progress. */
  invalidate(schemaName: string): void
  /** Drops the caches of all tenants. */
  clear(): void
  /** Returns the names of Postgres's time zones, which are loaded once. @throws {SqlError} */
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
    // Removes a failed load, so that the next request tries again.
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
      if (timeZones !== undefined) return timeZones
      const loading = loadTimeZones(engine)
      timeZones = loading
      // Removes a failed load, so that the next request tries again.
      loading.catch(() => {
        if (timeZones === loading) timeZones = undefined
      })
      return loading
    },
  }
}

async function loadTimeZones(engine: Engine): Promise<ReadonlySet<string>> {
  const [result] = await engine.admin(
    'cluster',
    script([verbatim('select name from pg_timezone_names')]),
  )
  return new Set(result?.rows.map((row) => cellText(row[0]) ?? ''))
}

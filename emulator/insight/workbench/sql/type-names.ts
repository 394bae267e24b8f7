// Finds the names of Postgres types by oid. Reads built-in types once. Reads a project's own types at every call, because
// Postgres may reuse the oid of a dropped type.
import type { SchemaName } from '../../../core/names.ts'
import { cellText, type Engine, type PlatformScope } from '../../../database/engine.ts'
import { script, sql, verbatim } from '../../../database/sql.ts'

export interface TypeNames {
  /** Returns a function that returns the name of each of these oids. @throws {SqlError} */
  of(schemaName: SchemaName, oids: readonly number[]): Promise<(oid: number) => string>
}

const FIRST_NORMAL_OID = 16_384

export function createTypeNames(engine: Engine): TypeNames {
  let builtIn: Promise<ReadonlyMap<number, string>> | undefined
  return {
    of: async (schemaName, oids) => {
      builtIn ??= read(engine, 'cluster', `< ${FIRST_NORMAL_OID}`)
      builtIn.catch(() => {
        builtIn = undefined
      })
      const known = await builtIn
      const others = [...new Set(oids.filter((oid) => oid >= FIRST_NORMAL_OID))]
      const own =
        others.length === 0
          ? undefined
          : await read(engine, schemaName, `in (${others.join(', ')})`)
      return (oid) => known.get(oid) ?? own?.get(oid) ?? 'unknown'
    },
  }
}

async function read(
  engine: Engine,
  where: PlatformScope,
  which: string,
): Promise<ReadonlyMap<number, string>> {
  const results = await engine.admin(
    where,
    script([
      sql`set local search_path = pg_catalog`,
      verbatim(`select oid::bigint, format_type(oid, -1) from pg_type where oid ${which}`),
    ]),
  )
  const rows = results.at(-1)?.rows ?? []
  return new Map(
    rows.map(([oid, name]) => [Number(cellText(oid)), withoutSchema(cellText(name) ?? '')]),
  )
}

function withoutSchema(name: string): string {
  return name.replace(/^(proj_[a-z0-9_]+|extensions)\./, '')
}

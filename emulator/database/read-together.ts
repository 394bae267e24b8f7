// Reads the catalogues of several projects: with one script where they share a database, otherwise with one script for each.
import type { SchemaName } from '../core/names.ts'
import { type Engine, SqlError, textRows } from './engine.ts'
import { readScript, type Sql } from './sql.ts'

/** The number of databases that are read at once. */
const AT_ONCE = 4
const NO_SUCH_DATABASE = '3D000'

/**
 * Returns the rows of the last statement, of all projects together. A project that does not exist has no rows.
 * @param statements returns the statements for projects that share a database
 * @throws {SqlError}
 */
export async function readTogether(
  engine: Pick<Engine, 'admin' | 'projects'>,
  schemaNames: readonly SchemaName[],
  statements: (schemaNames: readonly SchemaName[]) => readonly Sql[],
): Promise<readonly Record<string, string | undefined>[]> {
  const groups = [...engine.projects.together(schemaNames)]
  const rows: Record<string, string | undefined>[] = []
  const readNext = async (): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      const [where] = group
      if (where === undefined) continue
      const results = await unlessGone(engine.admin(where, readScript(statements(group))))
      rows.push(...textRows(results?.at(-1)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readNext))
  return rows
}

async function unlessGone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SqlError && error.code === NO_SUCH_DATABASE) return undefined
    throw error
  }
}

// Reads the size of each project: bytes in the database, and number of users. One query returns all database sizes; the users are
// counted per project.
import type { SchemaName } from '../../../core/names.ts'
import { type Engine, SqlError } from '../../../database/engine.ts'
import { readTogether } from '../../../database/read-together.ts'
import { sql } from '../../../database/sql.ts'
import type { Project } from '../../../platform/projects/project.ts'

export interface ProjectFacts {
  readonly engine: Engine
  readonly countUsers: (schemaName: SchemaName) => Promise<number>
  readonly storedBytes: (schemaName: SchemaName) => number
  /** The projects in the overview. */
  readonly projects: () => readonly Project[]
}

export interface ProjectSizes {
  /** Bytes of each project by schema name; empty when the database does not answer. */
  readonly databaseBytes: ReadonlyMap<string, number>
  readonly users: ReadonlyMap<string, number>
  readonly storedBytes: (schemaName: SchemaName) => number
  /** Message of the error when the database does not answer. */
  readonly problem: string | undefined
}

/** Resolves with `problem` instead of rejecting when the database does not answer. */
export async function readSizes(facts: ProjectFacts): Promise<ProjectSizes> {
  const { storedBytes } = facts
  try {
    const databaseBytes = await readDatabaseBytes(facts)
    return { databaseBytes, users: await readUsers(facts), storedBytes, problem: undefined }
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return { databaseBytes: new Map(), users: new Map(), storedBytes, problem: error.message }
  }
}

async function readDatabaseBytes({
  engine,
  projects,
}: ProjectFacts): Promise<ReadonlyMap<string, number>> {
  const schemaNames = projects().map(({ schemaName }) => schemaName)
  const read = await readTogether(engine, schemaNames, () => [
    sql`select n.nspname as name, sum(pg_total_relation_size(c.oid)) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname like 'proj\\_%'
      group by 1`,
  ])
  return new Map(read.map(({ name = '', bytes }) => [name, Number(bytes ?? 0)]))
}

async function readUsers({
  projects,
  countUsers,
}: ProjectFacts): Promise<ReadonlyMap<string, number>> {
  const counted = projects()
    .filter(({ state }) => state === 'active')
    .map(
      async ({ schemaName }): Promise<[string, number]> => [
        schemaName,
        // A purge may drop the tables before this query runs.
        await countUsers(schemaName).catch(() => 0),
      ],
    )
  return new Map(await Promise.all(counted))
}

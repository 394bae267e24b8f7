// Finds the structure that the SQL of a fixture and steps build. Runs the SQL in an empty hidden schema, reads the structure and
// drops the schema. No project has this schema, so no list and no quota contains it.

import { type SchemaName, trusted } from '../../../core/names.ts'
import type { Engine } from '../../../database/engine.ts'
import type { RunPart } from '../../../database/engine-projects.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { renamer } from '../../../database/template/rename-structure.ts'
import { loadStructureInParts, type SchemaStructure } from '../../../database/template/structure.ts'
import type { ControlDeps } from '../../../services/control/deps.ts'
import { applySteps } from '../apply/apply-steps.ts'
import type { Exec } from '../apply/fleet.ts'
import { execOutcome } from '../apply/local-fleet.ts'
import { failureOf, type StepFailure } from '../apply/step-failure.ts'
import type { Step } from '../steps/step.ts'
import { keyOfStructureSql, type StructureSql } from './structure-sql.ts'

export type StepStructure =
  | { readonly kind: 'built'; readonly structure: SchemaStructure }
  /** When the failure names no step, the SQL of the fixture failed. */
  | { readonly kind: 'failed'; readonly failure: StepFailure }

export interface StepStructures {
  /**
   * Returns the structure that the SQL builds in an empty project, or the failure of the SQL. Returns the same object for the
   * same SQL while the structure is cached.
   * @throws {SqlError} when the engine does not answer
   */
  of(structureSql: StructureSql): Promise<StepStructure>
}

export type StepStructureDeps = Pick<
  ControlDeps,
  'executeSql' | 'ids' | 'lifecycle' | 'schemas'
> & { readonly engine: Engine }

/** Maximum number of cached structures. */
const KEPT = 8
// Such a name has 48 characters after `proj_`, which is more than a project's name can have (core/names.ts).
const PREFIX = 'proj_migration_steps_'
const NAME = new RegExp(`^${PREFIX}[0-9a-f]{32}$`)
// Drops a schema in several short transactions, so that other requests can run between them.
const atOnce: RunPart = (part) => part()
/**
 * SQLSTATE classes of temporary failures: missing resources, and interventions such as a timeout. A second attempt may succeed.
 */
const TRANSIENT = /^5[37]/
/** SQLSTATEs of creating a column, object, function, schema or table that exists. */
const DUPLICATE: ReadonlySet<string> = new Set(['42701', '42710', '42723', '42P06', '42P07'])

/** Whether a second attempt may succeed. */
export function mayPass({ code }: StepFailure): boolean {
  return TRANSIENT.test(code)
}

export function createStepStructures(deps: StepStructureDeps): StepStructures {
  const kept = new Map<string, Promise<StepStructure>>()
  const tidy = createTidy(deps)
  const build = async (structureSql: StructureSql): Promise<StepStructure> => {
    await tidy.dropLeftovers()
    const schemaName = trusted.schemaName(`${PREFIX}${deps.ids.uuid().replaceAll('-', '')}`)
    return await tidy.during(schemaName, () => buildIn(deps, schemaName, structureSql))
  }
  const find = async (structureSql: StructureSql): Promise<StepStructure> => {
    const built = await build(structureSql)
    const { base, steps } = structureSql
    if (built.kind === 'built' || base.length === 0 || steps.length === 0) return built
    // Steps that were recorded as a baseline may create the same objects as the fixture's SQL, and then fail. In this case, the
    // steps are built without that SQL.
    const isBaseline = built.failure.step !== undefined && DUPLICATE.has(built.failure.code)
    const alone = isBaseline ? await build({ ...structureSql, base: [] }) : built
    return alone.kind === 'built' ? alone : built
  }
  return {
    of: async (structureSql) => {
      const key = keyOfStructureSql(structureSql)
      const building = kept.get(key) ?? find(structureSql)
      // Moves the entry to the end, so that the least recently used entry comes first.
      kept.delete(key)
      kept.set(key, building)
      for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest)
      const forget = () => {
        if (kept.get(key) === building) kept.delete(key)
      }
      building.catch(forget)
      const built = await building
      if (built.kind === 'failed' && mayPass(built.failure)) forget()
      return built
    },
  }
}

async function buildIn(
  { engine, executeSql, schemas }: StepStructureDeps,
  schemaName: SchemaName,
  { base, source, steps }: StructureSql,
): Promise<StepStructure> {
  await schemas.createEmpty(schemaName)
  const exec: Exec = (text) =>
    execOutcome(() => executeSql({ schemaName }, text, new AbortController().signal))
  const parser = await loadSqlParser()
  const run = async (some: readonly Step[]) => (await applySteps(exec, some, parser)).failure
  const rename = renamer(source, schemaName)
  for (const part of base) {
    const failure = await run(steps.filter(({ version }) => version <= part.after))
    if (failure !== undefined) return { kind: 'failed', failure }
    const outcome = await exec(rename(part.sql))
    if (outcome.kind === 'failed') return { kind: 'failed', failure: failureOf(outcome) }
  }
  const failure = await run(steps)
  if (failure !== undefined) return { kind: 'failed', failure }
  return { kind: 'built', structure: await loadStructureInParts(engine, schemaName) }
}

interface Tidy {
  /** Drops schemas that a killed process or a restored state left behind. */
  dropLeftovers(): Promise<void>
  /** Runs the work and drops the schema afterwards. */
  during<Result>(schemaName: SchemaName, work: () => Promise<Result>): Promise<Result>
}

function createTidy({ engine, lifecycle }: StepStructureDeps): Tidy {
  const present = new Set<SchemaName>()
  let mayHaveLeftovers = true
  lifecycle.listen({
    stateReplaced: () => {
      mayHaveLeftovers = true
    },
  })
  return {
    dropLeftovers: async () => {
      if (!mayHaveLeftovers) return
      mayHaveLeftovers = false
      for (const schemaName of await engine.projects.list(PREFIX))
        if (NAME.test(schemaName) && !present.has(schemaName))
          await engine.projects.drop(schemaName, atOnce)
    },
    during: async (schemaName, work) => {
      present.add(schemaName)
      try {
        return await work()
      } finally {
        present.delete(schemaName)
        try {
          await engine.projects.drop(schemaName, atOnce)
        } catch {
          // A failure to drop the schema does not change the result. The next build drops the schema.
          mayHaveLeftovers = true
        }
      }
    },
  }
}

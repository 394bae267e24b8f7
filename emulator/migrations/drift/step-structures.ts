// Finds the structure that steps build: applies them to an empty hidden schema, reads its structure and drops it. No record of a
// project has the schema, so no list and no quota contains it.
import type { ControlDeps } from '../../control/deps.ts'
import { type SchemaName, trusted } from '../../core/names.ts'
import { cellText, type Engine } from '../../database/engine.ts'
import { literal, script, sql } from '../../database/sql.ts'
import { loadSqlParser } from '../../database/sql-parser.ts'
import { dropPrepared } from '../../database/template/stock/prepared-schemas.ts'
import { loadStructureInParts, type SchemaStructure } from '../../database/template/structure.ts'
import { applySteps } from '../apply/apply-steps.ts'
import type { Exec } from '../apply/fleet.ts'
import { execOutcome } from '../apply/local-fleet.ts'
import type { StepFailure } from '../apply/step-failure.ts'
import type { Step } from '../steps/step.ts'

export type StepStructure =
  | { readonly kind: 'built'; readonly structure: SchemaStructure }
  | { readonly kind: 'failed'; readonly failure: StepFailure }

export interface StepStructures {
  /**
   * Returns the structure that the steps build in an empty project, or the step that fails there. Returns the same object for
   * the same steps while it is kept. @throws {SqlError} when the engine does not answer
   */
  of(steps: readonly Step[]): Promise<StepStructure>
}

export type StepStructureDeps = Pick<
  ControlDeps,
  'executeSql' | 'ids' | 'lifecycle' | 'schemas'
> & { readonly engine: Engine }

/** The number of lists of steps whose structure is kept. */
const KEPT = 8
// With 48 characters after `proj_`, no project can have such a name (core/names.ts).
const PREFIX = 'proj_migration_steps_'
const NAME = `^${PREFIX}[0-9a-f]{32}$`
const AT_ONCE = { run: <Result>(job: () => Promise<Result>): Promise<Result> => job() }
/** SQLSTATE classes of failures that a second attempt may not have: resources, and intervention such as a timeout. */
const TRANSIENT = /^5[37]/

export function createStepStructures(deps: StepStructureDeps): StepStructures {
  const kept = new Map<string, Promise<StepStructure>>()
  const tidy = createTidy(deps)
  const build = async (steps: readonly Step[]): Promise<StepStructure> => {
    await tidy.dropLeftovers()
    const schemaName = trusted.schemaName(`${PREFIX}${deps.ids.uuid().replaceAll('-', '')}`)
    return await tidy.during(schemaName, () => buildIn(deps, schemaName, steps))
  }
  return {
    of: async (steps) => {
      const key = steps.map(({ checksum, version }) => `${version} ${checksum}`).join()
      const building = kept.get(key) ?? build(steps)
      // Inserted again, so that the list used longest ago is the first.
      kept.delete(key)
      kept.set(key, building)
      for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest)
      const forget = () => {
        if (kept.get(key) === building) kept.delete(key)
      }
      building.catch(forget)
      const built = await building
      if (built.kind === 'failed' && TRANSIENT.test(built.failure.code)) forget()
      return built
    },
  }
}

async function buildIn(
  { engine, executeSql, schemas }: StepStructureDeps,
  schemaName: SchemaName,
  steps: readonly Step[],
): Promise<StepStructure> {
  await schemas.createEmpty(schemaName)
  const exec: Exec = (text) =>
    execOutcome(() => executeSql({ schemaName }, text, new AbortController().signal))
  const { failure } = await applySteps(exec, steps, await loadSqlParser())
  if (failure !== undefined) return { kind: 'failed', failure }
  return { kind: 'built', structure: await loadStructureInParts(engine, schemaName) }
}

interface Tidy {
  /** Drops schemas that a killed process or a restored state left behind. */
  dropLeftovers(): Promise<void>
  /** Runs the work and drops its schema. */
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
      for (const schemaName of await listScratch(engine))
        if (!present.has(schemaName)) await dropPrepared(engine, AT_ONCE, schemaName)
    },
    during: async (schemaName, work) => {
      present.add(schemaName)
      try {
        return await work()
      } finally {
        present.delete(schemaName)
        try {
          await dropPrepared(engine, AT_ONCE, schemaName)
        } catch {
          // The result is right, and the next build drops the schema.
          mayHaveLeftovers = true
        }
      }
    },
  }
}

async function listScratch(engine: Engine): Promise<readonly SchemaName[]> {
  const [found] = await engine.admin(
    script([
      sql`select nspname::text from pg_catalog.pg_namespace where nspname ~ ${literal(NAME)}`,
    ]),
  )
  return (found?.rows ?? []).map(([name]) => trusted.schemaName(cellText(name) ?? ''))
}

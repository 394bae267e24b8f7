// Finds the structure that base and steps build: runs them in an empty hidden schema, reads its structure and drops it. No record
// of a project has the schema, so no list and no quota contains it.

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
  /** Without a step, the SQL of the fixture failed. */
  | { readonly kind: 'failed'; readonly failure: StepFailure }

export interface StepStructures {
  /**
   * Returns the structure that the SQL builds in an empty project, or what fails there. Returns the same object for the same SQL
   * while it is kept. @throws {SqlError} when the engine does not answer
   */
  of(structureSql: StructureSql): Promise<StepStructure>
}

export type StepStructureDeps = Pick<
  ControlDeps,
  'executeSql' | 'ids' | 'lifecycle' | 'schemas'
> & { readonly engine: Engine }

/** The number of texts whose structure is kept. */
const KEPT = 8
// With 48 characters after `proj_`, no project can have such a name (core/names.ts).
const PREFIX = 'proj_migration_steps_'
const NAME = new RegExp(`^${PREFIX}[0-9a-f]{32}$`)
// Several short transactions, so that other requests get their turn between them.
const atOnce: RunPart = (part) => part()
/** SQLSTATE classes of failures that a second attempt may not have: resources, and intervention such as a timeout. */
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
    // Steps that create what the fixture's SQL has created were recorded as a baseline: they describe the fixture's SQL.
    const isBaseline = built.failure.step !== undefined && DUPLICATE.has(built.failure.code)
    const alone = isBaseline ? await build({ ...structureSql, base: [] }) : built
    return alone.kind === 'built' ? alone : built
  }
  return {
    of: async (structureSql) => {
      const key = keyOfStructureSql(structureSql)
      const building = kept.get(key) ?? find(structureSql)
      // Inserted again, so that the SQL used longest ago is the first.
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
          // The result is right, and the next build drops the schema.
          mayHaveLeftovers = true
        }
      }
    },
  }
}

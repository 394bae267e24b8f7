// Applies the differ's statements to generated pairs of schemas in an engine, as db/exec does.
import { createSqlExecutor } from '../../../emulator/control/sql-console/execute-sql.ts'
import type { ExecuteSql } from '../../../emulator/control/sql-console/sql-outcome.ts'
import { type SchemaName, trusted } from '../../../emulator/core/names.ts'
import { diffStatements } from '../../../emulator/database/differ/diff-statements.ts'
import type { DiffResult } from '../../../emulator/database/differ/difference.ts'
import { renderStep } from '../../../emulator/database/differ/render-step.ts'
import type { Engine } from '../../../emulator/database/engine.ts'
import {
  loadStructure,
  type SchemaStructure,
} from '../../../emulator/database/template/structure.ts'
import { structureDifferences } from '../structure-differences.ts'
import type { SchemaPair } from './schema-pair.ts'

const BEFORE = trusted.schemaName('proj_before')
const AFTER = trusted.schemaName('proj_after')

export interface PairOutcome {
  readonly seed: number
  /** What the step leaves different; empty when the structures are equal or the difference is named. */
  readonly left: readonly string[]
  readonly error?: string
  readonly step: string
  readonly notGenerated: DiffResult['notGenerated']
}

export class DifferLab {
  readonly #engine: Engine
  readonly #execute: ExecuteSql

  constructor(engine: Engine) {
    this.#engine = engine
    this.#execute = createSqlExecutor({ engine, maxResultBytes: 1_000_000 })
  }

  /** Runs a script as the project's owner through db/exec. @returns the error's message */
  async exec(schemaName: SchemaName, text: string): Promise<string | undefined> {
    if (text.trim() === '') return undefined
    const project = { schemaName } as Parameters<ExecuteSql>[0]
    const outcome = await this.#execute(project, text, AbortSignal.timeout(60_000))
    return outcome.kind === 'sqlError'
      ? `${outcome.code} ${outcome.message} (line ${outcome.line})`
      : undefined
  }

  /** Turns the first schema, without rows, into the second one. */
  async convert(pair: SchemaPair): Promise<PairOutcome> {
    return await this.#withBoth(pair, async (from, to) => {
      const result = diffStatements(from, to, { allowDestructive: true })
      const step = renderStep(result, { allowDestructive: true })
      const error = await this.exec(BEFORE, step)
      const reached = await loadStructure(this.#engine, BEFORE)
      const left = structureDifferences(inOrder(reached), inOrder(to))
      const { notGenerated } = result
      const { seed } = pair
      return { seed, left, step, notGenerated, ...(error === undefined ? {} : { error }) }
    })
  }

  /** Runs the step without its destructive part on a filled schema. @returns the tables and columns that lost values */
  async lossOf(pair: SchemaPair): Promise<PairOutcome & { readonly lost: readonly string[] }> {
    const [tables, references] = pair.beforeParts
    // With FORCE, the policies would hide rows from the owner, who counts them.
    const unforced = (text: string) => text.replaceAll(/^.* force row level security;\n/gm, '')
    const filled = {
      ...pair,
      before: unforced(tables) + pair.rows + references,
      after: unforced(pair.after),
    }
    return await this.#withBoth(filled, async (from, to) => {
      const before = await this.#values(from)
      const step = renderStep(diffStatements(from, to))
      const error = await this.exec(BEFORE, step)
      const after = await this.#values(await loadStructure(this.#engine, BEFORE))
      const lost = [...before]
        .filter(([column, values]) => comparable(after.get(column) ?? '') !== comparable(values))
        .map(([column, values]) => `${column}: ${values} became ${after.get(column)}`)
      const outcome = { seed: pair.seed, left: [], step, notGenerated: [], lost }
      return error === undefined ? outcome : { ...outcome, error }
    })
  }

  /** The values of every column that is not generated, as text. */
  async #values(structure: SchemaStructure): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>()
    for (const { columns, kind, name, parents } of structure.relations) {
      if ((kind !== 'table' && kind !== 'partitioned') || parents !== undefined) continue
      for (const column of columns) {
        if (column.generated !== undefined) continue
        const text = `select string_agg(coalesce("${column.name}"::text, 'null'), '|' order by id) as listed from "${name}"`
        values.set(`${name}.${column.name}`, await this.#answer(structure.schemaName, text))
      }
    }
    return values
  }

  async #answer(schemaName: SchemaName, text: string): Promise<string> {
    const project = { schemaName } as Parameters<ExecuteSql>[0]
    const outcome = await this.#execute(project, text, AbortSignal.timeout(60_000))
    if (outcome.kind === 'sqlError') throw new Error(outcome.message)
    return String(outcome.rows[0]?.['listed'])
  }

  async #withBoth<Result>(
    pair: SchemaPair,
    work: (from: SchemaStructure, to: SchemaStructure) => Promise<Result>,
  ): Promise<Result> {
    try {
      for (const [schema, text] of [
        [BEFORE, pair.before],
        [AFTER, pair.after],
      ] as const) {
        await this.#engine.projects.create(schema)
        const error = await this.exec(schema, text)
        if (error !== undefined)
          throw new Error(`seed ${pair.seed}: the generated schema is wrong: ${error}\n${text}`)
      }
      const [from, to] = [
        await loadStructure(this.#engine, BEFORE),
        await loadStructure(this.#engine, AFTER),
      ]
      return await work(from, to)
    } finally {
      for (const schema of [BEFORE, AFTER]) await this.#engine.projects.drop(schema)
    }
  }
}

// Postgres adds columns at the end, so their order is no difference. Statistics list columns in this order.
function inOrder(structure: SchemaStructure): SchemaStructure {
  return {
    ...structure,
    statistics: structure.statistics.map((one) => ({
      ...one,
      definition: one.definition
        .split(/, | (?:ON|FROM) /)
        .sort()
        .join(', '),
    })),
    relations: structure.relations.map((relation) => ({
      ...relation,
      columns: [...relation.columns].sort((one, other) => (one.name < other.name ? -1 : 1)),
    })),
  }
}

// A new attribute of a composite type is null in the values that exist already. A date that became a timestamp is midnight. The
// type jsonb keeps no spaces of json.
function comparable(values: string): string {
  const noMidnight = values.replaceAll(/,+\)/g, ')').replaceAll(/ 00:00:00(\+00)?/g, '')
  return noMidnight.replaceAll('" : ', '": ')
}

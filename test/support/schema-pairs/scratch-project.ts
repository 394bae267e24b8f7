// A project in which scripts run as db/exec runs them. Most scripts are rolled back, which is faster than a new project for each
// script.

import { ownerRoleOf, type SchemaName } from '../../../emulator/core/names.ts'
import { searchPathOf } from '../../../emulator/database/as-principal.ts'
import { scopeOf } from '../../../emulator/database/catalog/records.ts'
import { cellText, type Engine, SqlError } from '../../../emulator/database/engine.ts'
import { tenantScript } from '../../../emulator/database/sql.ts'
import { loadSqlParser } from '../../../emulator/database/sql-parser.ts'
import {
  type SchemaStructure,
  structureOf,
  structureQueries,
} from '../../../emulator/database/template/structure.ts'
import { analyseScript } from '../../../emulator/platform/owner-sql/analyse-script.ts'
import type { ExecuteSql } from '../../../emulator/platform/owner-sql/sql-outcome.ts'
import { createSqlExecutor } from '../../../emulator/services/control/db-exec/execute-sql.ts'

/** A part of a rehearsed script: SQL of the project's owner, or the name of a value to read. */
export type Part = string | { readonly reading: string }

export interface Rehearsal {
  /** SQLSTATE and message of the first error. */
  readonly error: string | undefined
  /** The structure at the last `structure` reading. */
  readonly structure: SchemaStructure | undefined
  /** The cells of the other readings, by their names. */
  readonly cells: ReadonlyMap<string, string>
}

/** A part that reads the project's structure. */
export const STRUCTURE: Part = { reading: 'structure' }

/** A generated schema that Postgres refuses. */
export class WrongSchema extends Error {
  override readonly name = 'WrongSchema'
}

export class ScratchProject {
  readonly schemaName: SchemaName
  readonly #engine: Engine
  readonly #execute: ExecuteSql

  private constructor(engine: Engine, schemaName: SchemaName) {
    this.#engine = engine
    this.schemaName = schemaName
    this.#execute = createSqlExecutor({ engine, maxResultBytes: 1_000_000 })
  }

  static async create(engine: Engine, schemaName: SchemaName): Promise<ScratchProject> {
    await engine.projects.create(schemaName)
    return new ScratchProject(engine, schemaName)
  }

  /** Runs a script through db/exec. @returns the error's code and message */
  async exec(text: string): Promise<string | undefined> {
    if (text.trim() === '') return undefined
    const project = { schemaName: this.schemaName } as Parameters<ExecuteSql>[0]
    const outcome = await this.#execute(project, text, AbortSignal.timeout(60_000))
    return outcome.kind === 'sqlError'
      ? `${outcome.code} ${outcome.message} (line ${outcome.line})`
      : undefined
  }

  /** Removes everything that scripts have left. */
  async empty(): Promise<void> {
    await this.#engine.projects.drop(this.schemaName)
    await this.#engine.projects.create(this.schemaName)
  }

  /** Runs the parts in one transaction, and rolls it back. Analyses and rewrites scripts as db/exec does. */
  async rehearse(...parts: readonly Part[]): Promise<Rehearsal> {
    const cells = new Map<string, string>()
    try {
      const { results } = await this.#engine.run({
        actor: { schemaName: this.schemaName, role: ownerRoleOf(this.schemaName) },
        settings: { search_path: searchPathOf(this.schemaName) },
        mode: 'readWrite',
        statements: tenantScript((await this.#texts(parts)).join('\n;\n')),
        end: 'rollback',
        timeoutMillis: 60_000,
      })
      let structure: SchemaStructure | undefined
      for (const { fields, rows } of results) {
        const row = fields.map(({ name }, index) => [name, cellText(rows[0]?.[index])] as const)
        if (fields[0]?.name === 'schemaComment') structure = structureOfCells(this.schemaName, row)
        for (const [name, cell] of row) cells.set(name, cell ?? '')
      }
      return { cells, structure, error: undefined }
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      return { error: `${error.code} ${error.message}`, structure: undefined, cells }
    }
  }

  /** Returns the structure after the scripts, and rolls them back. @throws {WrongSchema} when a script fails */
  async structureAfter(...parts: readonly Part[]): Promise<SchemaStructure> {
    const { error, structure } = await this.rehearse(...parts, STRUCTURE)
    if (structure === undefined) throw new WrongSchema(`${error}\n${parts.join('\n')}`)
    return structure
  }

  async #texts(parts: readonly Part[]): Promise<readonly string[]> {
    const parser = await loadSqlParser()
    return parts.flatMap((part): readonly string[] => {
      if (part === STRUCTURE) return this.#structureTexts()
      if (typeof part !== 'string') return [part.reading]
      if (part.trim() === '') return []
      const analysis = analyseScript(parser, part, this.schemaName)
      if (analysis.kind === 'ready') return [analysis.text]
      const { code, message } = analysis.kind === 'refused' ? analysis.refusal : analysis
      throw new SqlError(code, message)
    })
  }

  #structureTexts(): readonly string[] {
    const path = searchPathOf(this.schemaName).replaceAll("'", "''")
    return [
      ...structureQueries(scopeOf(this.schemaName)).map(({ text }) => text),
      `select set_config('search_path', '${path}', true)`,
    ]
  }
}

function structureOfCells(
  schemaName: SchemaName,
  row: readonly (readonly [name: string, cell: string | undefined])[],
): SchemaStructure {
  const sections = row.map(
    ([name, cell]) => [name, cell === undefined ? null : JSON.parse(cell)] as const,
  )
  return structureOf(schemaName, Object.fromEntries(sections))
}

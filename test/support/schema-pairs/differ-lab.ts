// Applies the differ's statements to pairs of schemas in an engine, as db/exec does.
import { trusted } from '../../../emulator/core/names.ts'
import { diffStatements } from '../../../emulator/database/differ/diff-statements.ts'
import type { DiffResult } from '../../../emulator/database/differ/difference.ts'
import { renderStep } from '../../../emulator/database/differ/render-step.ts'
import type { Engine } from '../../../emulator/database/engine.ts'
import type { SchemaStructure } from '../../../emulator/database/template/structure.ts'
import { structureDifferences } from '../structure-differences.ts'
import type { SchemaPair } from './schema-pair.ts'
import { type Rehearsal, ScratchProject, STRUCTURE } from './scratch-project.ts'
import { withoutNamed } from './without-named.ts'

export interface PairOutcome {
  /** Differences that remain after the step and that the step does not name. */
  readonly left: readonly string[]
  readonly error: string | undefined
  readonly step: string
  /** Differences that the step names but does not resolve. */
  readonly notGenerated: DiffResult['notGenerated']
}

export interface LossOutcome extends Pick<PairOutcome, 'error' | 'step'> {
  /** The columns that lost values. */
  readonly lost: readonly string[]
}

type Pair = SchemaPair

export class DifferLab {
  readonly #before: ScratchProject
  readonly #after: ScratchProject

  private constructor(before: ScratchProject, after: ScratchProject) {
    this.#before = before
    this.#after = after
  }

  static async open(engine: Engine): Promise<DifferLab> {
    return new DifferLab(
      await ScratchProject.create(engine, trusted.schemaName('proj_before')),
      await ScratchProject.create(engine, trusted.schemaName('proj_after')),
    )
  }

  /**
   * Turns the first schema, without rows, into the second one. The first schema is committed, because Postgres treats objects of
   * the same transaction differently, such as an enum.
   */
  async convert(pair: Pair): Promise<PairOutcome> {
    return await this.#committed(pair.before, () => this.#convert(pair))
  }

  /**
   * Same as `convert`, and also runs the step without its destructive part on a schema with rows. Rolls everything back, which
   * takes a third of the time.
   */
  async attempt(pair: Pair): Promise<PairOutcome & { readonly onRows: LossOutcome }> {
    const { after, before, beforeParts, renames = '', rows } = pair
    const [tables, references] = beforeParts
    const from = await this.#before.structureAfter(before, renames)
    const to = await this.#after.structureAfter(after)
    const plan = planOf(from, to)
    const [unforcedFrom, unforcedTo] = [unforced(from), unforced(to)]
    const careful = renderStep(diffStatements(unforcedFrom, unforcedTo))
    const onRows = [
      unforcing(tables),
      rows,
      references,
      renames,
      { reading: valuesQuery(from, 'values_before') },
      careful,
      { reading: valuesQuery(from, 'values_after') },
    ]
    const filled = await this.#before.rehearse(tables, ...onRows)
    const reached = await this.#before.rehearse(before, renames, plan.step, STRUCTURE)
    return { ...outcomeOf(plan, reached, to), onRows: { step: careful, ...lossOf(filled) } }
  }

  /**
   * Finds unnecessary statements: the step reaches the same structure without the statement, or without a pair that drops and
   * creates the same object.
   */
  async idleStatements({ after, before, renames = '' }: Pair): Promise<readonly string[]> {
    const from = await this.#before.structureAfter(before, renames)
    const to = await this.#after.structureAfter(after)
    const all = diffStatements(from, to, { allowDestructive: true }).statements
    const texts = all.map(({ sql }) => `${sql};\n`)
    const idle: string[] = []
    for (const left of leftOut(texts)) {
      const rest = texts.filter((_text, index) => !left.includes(index)).join('')
      const { structure } = await this.#before.rehearse(before, renames, rest, STRUCTURE)
      const isEqual =
        structure !== undefined &&
        structureDifferences(inOrder(structure), inOrder(to)).length === 0
      if (isEqual) idle.push(left.map((index) => texts[index]).join(''))
    }
    return idle
  }

  async #convert({ after }: Pair): Promise<PairOutcome> {
    const from = await this.#before.structureAfter()
    const to = await this.#after.structureAfter(after)
    const plan = planOf(from, to)
    return outcomeOf(plan, await this.#before.rehearse(plan.step, STRUCTURE), to)
  }

  async #committed<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
    try {
      const error = await this.#before.exec(text)
      if (error !== undefined) throw new Error(`the first schema is wrong: ${error}\n${text}`)
      return await work()
    } finally {
      await this.#before.empty()
    }
  }
}

interface Plan {
  readonly step: string
  readonly notGenerated: DiffResult['notGenerated']
}

function planOf(from: SchemaStructure, to: SchemaStructure): Plan {
  const result = diffStatements(from, to, { allowDestructive: true })
  const step = renderStep(result, { allowDestructive: true })
  return { step, notGenerated: result.notGenerated }
}

function outcomeOf(
  plan: Plan,
  { error, structure }: Pick<Rehearsal, 'error' | 'structure'>,
  to: SchemaStructure,
): PairOutcome {
  const shown = (one: SchemaStructure) => inOrder(withoutNamed(one, plan.notGenerated))
  const left = structure === undefined ? [] : structureDifferences(shown(structure), shown(to))
  return { ...plan, left, error }
}

function lossOf({ cells, error }: Rehearsal): Omit<LossOutcome, 'step'> {
  const [had, has] = ['values_before', 'values_after'].map((name) => valuesOf(cells.get(name)))
  if (error !== undefined || had === undefined || has === undefined)
    return { lost: [], error: error ?? 'no values were read' }
  const lost = [...had]
    .filter(([column, values]) => comparable(has.get(column) ?? '') !== comparable(values))
    .map(([column, values]) => `${column}: ${values} became ${has.get(column)}`)
  return { lost, error }
}

// Removes FORCE, because policies would otherwise hide rows from the owner, whose queries read the values.
function unforced(structure: SchemaStructure): SchemaStructure {
  const relations = structure.relations.map((one) => ({ ...one, forcedRowSecurity: false }))
  return { ...structure, relations }
}

function unforcing(text: string): string {
  const forcing = text.match(/^.* force row level security;\n/gm) ?? []
  return forcing.join('').replaceAll(' force ', ' no force ')
}

/** Statements to leave out: each one, and each pair that drops and creates an object. */
function leftOut(texts: readonly string[]): readonly (readonly number[])[] {
  return texts.flatMap((text, index) => {
    // Keeps statements that set a sequence's position for existing rows, because a structure does not show the position.
    if (text.startsWith('select setval')) return []
    const name = /^drop \w+(?: view)? ("[^"]+"|\w+)|drop constraint ("[^"]+"|\w+)/.exec(text)
    const created = texts.findIndex(
      (other, place) =>
        place > index &&
        /^create |add constraint /i.test(other) &&
        other.includes(name?.[1] ?? name?.[2] ?? ' '),
    )
    return name === null || created < 0 ? [[index]] : [[index], [index, created]]
  })
}

/** A query for the values of every column that is not generated. */
function valuesQuery({ relations, schemaName }: SchemaStructure, name: string): string {
  const tables = relations.filter(
    ({ kind, parents }) => (kind === 'table' || kind === 'partitioned') && parents === undefined,
  )
  const members = tables.flatMap((table) =>
    table.columns
      .filter(({ generated }) => generated === undefined)
      .map(
        (column) =>
          `'${table.name}.${column.name}', (select coalesce(string_agg(coalesce("${column.name}"::text, 'null'), '|' order by id), '') from ${schemaName}."${table.name}")`,
      ),
  )
  const objects = members.map((member) => `select json_build_object(${member}) as one`)
  return `select json_agg(one) as ${name} from (${objects.join(' union all ')}) as found`
}

function valuesOf(cell: string | undefined): ReadonlyMap<string, string> | undefined {
  if (cell === undefined) return undefined
  const objects: readonly Record<string, string>[] = JSON.parse(cell === '' ? '[]' : cell)
  return new Map(objects.flatMap((one) => Object.entries(one)))
}

// Sorts columns, because Postgres adds columns at the end and their order is therefore not a difference. Also sorts the columns
// of statistics.
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

// Makes equal values comparable. A new attribute of a composite type is null in existing values. A date that became a timestamp
// has the time midnight. jsonb does not keep the spaces of json. Further zeros do not change a number.
function comparable(values: string): string {
  const noMidnight = values.replaceAll(/,+\)/g, ')').replaceAll(/ 00:00:00(\+00)?/g, '')
  return noMidnight.replaceAll('" : ', '": ').replaceAll(/(\.\d)0(?=\||$)/g, '$1')
}

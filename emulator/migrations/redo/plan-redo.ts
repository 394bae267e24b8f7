// Plans how a project gets from the steps that it ran to steps that changed since, without losing rows. Statements that were
// added at the end run. Otherwise the differ turns the structure that the former steps build into that of the present ones.
import { diffStatements } from '../../database/differ/diff-statements.ts'
import type { SqlParser } from '../../database/sql-parser.ts'
import { baselineOf } from '../apply/baseline.ts'
import type { StepFailure } from '../apply/step-failure.ts'
import type { StepStructures } from '../drift/step-structures.ts'
import type { StructureSql } from '../drift/structure-sql.ts'
import { type Ledger, rewriteLedger } from '../ledger/ledger.ts'
import type { AppliedStep } from '../steps/compare-steps.ts'
import { hasStatements } from '../steps/statements.ts'
import { type Step, stepWithText } from '../steps/step.ts'
import { firstDifference, type KeyedStatement, type KeyedStep, keyedStep } from './keyed-steps.ts'
import { guardAgainst } from './losses.ts'
import type { TextStore } from './text-store.ts'

/** Brings a project to changed steps in one transaction. */
export interface Redo {
  readonly kind: 'redo'
  /** SQL that makes the changed steps the project's ledger, on one line. */
  readonly record: string
  /** Statements that fail with `WOULD_LOSE` when the change would lose rows. */
  readonly guard: readonly string[]
  /** Statements without a closing semicolon; none when only texts, and no statements, changed. */
  readonly statements: readonly string[]
  readonly ledgerAfter: Ledger
  /** File names of the steps that changed. */
  readonly files: readonly string[]
}

/** The project cannot be changed in place. */
export interface NoRedo {
  readonly kind: 'none'
  readonly reason: string
}

export interface RedoDeps {
  readonly parser: SqlParser
  readonly structures: StepStructures
  readonly texts: Pick<TextStore, 'of'>
}

/** What a project ran, and what its steps are now. */
export interface ChangedProject {
  readonly ledger: Ledger
  readonly steps: readonly Step[]
  /** The SQL of the fixture that made a part of the project's structure. */
  readonly base: Pick<StructureSql, 'base' | 'source'>
}

/** @throws {SqlSyntaxError} of a changed step; {SqlError} when the engine does not answer */
export async function planRedo(
  deps: RedoDeps,
  { base, ledger, steps }: ChangedProject,
): Promise<Redo | NoRedo> {
  const ran = textsOfLedger(ledger.applied, steps, deps.texts)
  if (ran.kind === 'none') return ran
  const newest =
    ledger.applied
      .map(({ version }) => version)
      .toSorted()
      .at(-1) ?? ''
  const wanted = steps.filter(({ sql, version }) => version <= newest && hasStatements(sql))
  const keyed = (step: Step): KeyedStep => keyedStep(deps.parser, step)
  const [before, after] = [ran.steps.map(keyed), wanted.map(keyed)]
  const from = firstDifference(before, after)
  const change = await changeBetween(deps, base, { before, after, from })
  if (change.kind === 'none') return change
  const entries = baselineOf(wanted)
  return {
    ...change,
    kind: 'redo',
    record: rewriteLedger(ledger, entries),
    ledgerAfter: { applied: entries, source: 'rows' },
    files: filesOf(before, after, from),
  }
}

/** Returns the redo as one script, for db/exec. @param isAllowed whether rows may be lost */
export function scriptOfRedo(redo: Redo, isAllowed: boolean): string {
  return `${redo.record} ${changeText(redo, isAllowed)}`
}

/** Returns the script without what it does to the ledger. */
export function changeText({ guard, statements }: Redo, isAllowed: boolean): string {
  return [...(isAllowed ? [] : guard), ...statements].map((one) => `${one}\n;`).join('\n')
}

function none(reason: string): NoRedo {
  return { kind: 'none', reason }
}

function textsOfLedger(
  applied: readonly AppliedStep[],
  steps: readonly Step[],
  texts: Pick<TextStore, 'of'>,
): { readonly kind: 'found'; readonly steps: readonly Step[] } | NoRedo {
  const files = new Map(steps.map((step) => [step.version, step]))
  const found: Step[] = []
  for (const entry of applied.toSorted((a, b) => (a.version < b.version ? -1 : 1))) {
    const file = `${entry.version}_${entry.name}.sql`
    if (entry.statements_done !== null)
      return none(`${file} was interrupted after ${entry.statements_done} of its statements`)
    const present = files.get(entry.version)
    const text = present?.checksum === entry.checksum ? present.sql : texts.of(entry.checksum)
    if (text === undefined) return none(`the text of ${file} that ran is not known`)
    if (hasStatements(text)) found.push(stepWithText(entry, text))
  }
  return { kind: 'found', steps: found }
}

type Change = Pick<Redo, 'guard' | 'statements'> & { readonly kind: 'change' }

interface Versions {
  readonly before: readonly KeyedStep[]
  readonly after: readonly KeyedStep[]
  /** Index of the first step that differs. */
  readonly from: number
}

async function changeBetween(
  deps: RedoDeps,
  base: Pick<StructureSql, 'base' | 'source'>,
  { after, before, from }: Versions,
): Promise<Change | NoRedo> {
  const old = before.slice(from).flatMap(({ statements }) => statements)
  const wanted = after.slice(from).flatMap(({ statements }) => statements)
  const isContinued = old.every(({ key }, index) => wanted[index]?.key === key)
  const areTransactional = after.slice(from).every(({ step }) => step.isTransactional)
  const added = wanted.slice(old.length)
  if (isContinued && (areTransactional || added.length === 0))
    return { kind: 'change', guard: [], statements: added.map(({ text }) => text) }
  if (dataOf(old) !== dataOf(wanted)) return none('statements that change rows were changed')
  return await changeStructure(deps.structures, base, before, after)
}

/** Returns a text that is equal for equal statements that change rows. */
function dataOf(statements: readonly KeyedStatement[]): string {
  return JSON.stringify(statements.filter(({ isData }) => isData).map(({ key }) => key))
}

async function changeStructure(
  structures: StepStructures,
  base: Pick<StructureSql, 'base' | 'source'>,
  before: readonly KeyedStep[],
  after: readonly KeyedStep[],
): Promise<Change | NoRedo> {
  const build = (some: readonly KeyedStep[]) =>
    structures.of({ ...base, steps: some.map(({ step }) => step) })
  const [former, present] = [await build(before), await build(after)]
  if (former.kind === 'failed') return none(reasonOf(former.failure))
  if (present.kind === 'failed') return none(reasonOf(present.failure))
  const { notGenerated, statements } = diffStatements(former.structure, present.structure, {
    allowDestructive: true,
  })
  const [left] = notGenerated
  if (left !== undefined) return none(`${left.object} cannot be changed: ${left.reason}`)
  return {
    kind: 'change',
    guard: guardAgainst(
      statements.flatMap(({ loses }) => loses ?? []),
      former.structure,
    ),
    statements: statements.map(({ sql }) => sql),
  }
}

function reasonOf({ line, message, step = 'the SQL of the fixture' }: StepFailure): string {
  return `${step}${line === undefined ? '' : `:${line}`} fails in an empty project with "${message}"`
}

/** File names of steps whose statements are different, or that are in one list only. */
function filesOf(
  before: readonly KeyedStep[],
  after: readonly KeyedStep[],
  from: number,
): readonly string[] {
  const known = new Map(before.map(({ key, step }) => [step.version, key]))
  const present = new Set(after.map(({ step }) => step.version))
  return [
    ...after.slice(from).filter(({ key, step }) => known.get(step.version) !== key),
    ...before.slice(from).filter(({ step }) => !present.has(step.version)),
  ].map(({ step }) => step.file)
}

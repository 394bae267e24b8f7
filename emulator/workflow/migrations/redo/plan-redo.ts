// Plans how to bring a project to its present steps without losing rows, when steps changed after they ran. Statements that were
// added at the end run. When only the structure differs, the differ changes it. Otherwise the changed steps are undone, and run
// again like new steps.
import { diffStatements } from '../../../database/differ/diff-statements.ts'
import { localStatement, plainIdentifier } from '../../../database/differ/local-names.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import { baselineOf } from '../apply/baseline.ts'
import type { StepFailure } from '../apply/step-failure.ts'
import type { StepStructures } from '../drift/step-structures.ts'
import type { StructureSql } from '../drift/structure-sql.ts'
import { type Ledger, rewriteLedger } from '../ledger/ledger.ts'
import type { AppliedStep } from '../steps/compare-steps.ts'
import { hasStatements } from '../steps/statements.ts'
import { type Step, stepWithText } from '../steps/step.ts'
import { forgetParts, type KeptPart, keepAfter, keepBefore } from './kept-rows.ts'
import {
  dataOf,
  firstDifference,
  type KeyedStatement,
  type KeyedStep,
  keyedStep,
} from './keyed-steps.ts'
import { failOnLoss, type Guarded, guardAgainst } from './losses.ts'
import type { TextStore } from './text-store.ts'
import { planUndo } from './undo.ts'

/** Brings a project from the steps that ran to the changed steps, in one transaction. */
export interface Redo {
  readonly kind: 'redo'
  /**
   * `continue` runs added statements, `change` changes the structure, and `undo` undoes the changed steps, which are pending
   * afterwards.
   */
  readonly way: 'continue' | 'change' | 'undo'
  /** SQL that changes the project's ledger, on one line. */
  readonly record: string
  /** Empty when the texts of steps changed, but not their statements. */
  readonly statements: readonly Guarded[]
  readonly ledgerAfter: Ledger
  /** File names of the steps that changed. */
  readonly files: readonly string[]
}

/** Why the project cannot be changed in place. */
export interface NoRedo {
  readonly kind: 'none'
  readonly reason: string
}

export interface RedoDeps {
  readonly parser: SqlParser
  readonly structures: StepStructures
  readonly texts: Pick<TextStore, 'of'>
}

/** The steps that a project ran, and the steps that it should have now. */
export interface ChangedProject {
  readonly ledger: Ledger
  readonly steps: readonly Step[]
  /** The SQL of the fixture that made a part of the project's structure. */
  readonly base: Pick<StructureSql, 'base' | 'source'>
  /** The rows that the project's ledger keeps, by version of the step. */
  readonly kept: ReadonlyMap<string, readonly KeptPart[]>
}

/** @throws {SqlSyntaxError} when a changed step cannot be parsed; {SqlError} when the engine does not answer */
export async function planRedo(deps: RedoDeps, project: ChangedProject): Promise<Redo | NoRedo> {
  const { ledger, steps } = project
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
  const change = await changeBetween(deps, project, { before, after, from })
  if (change.kind === 'none') return change
  const entries = baselineOf(change.way === 'undo' ? wanted.slice(0, from) : wanted)
  return {
    ...change,
    kind: 'redo',
    record: [rewriteLedger(ledger, entries), ...change.record].join(' '),
    ledgerAfter: { applied: entries, source: 'rows' },
    files: filesOf(before, after, from),
  }
}

/** Returns the SQL of the redo as one script for db/exec. @param mayLose whether rows may be lost */
export function scriptOfRedo(redo: Redo, mayLose: boolean): string {
  const text = changeText(redo, mayLose)
  // An undo changes the ledger last, because its statements read the rows that the ledger keeps of the undone steps.
  return redo.way === 'undo' ? `${text}\n${redo.record}` : `${redo.record} ${text}`
}

/** Returns the script without the statements that change the ledger. */
export function changeText({ statements }: Redo, mayLose: boolean): string {
  return statements
    .filter(({ isGuard }) => !(isGuard && mayLose))
    .map(({ text }) => `${text}\n;`)
    .join('\n')
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

interface Change extends Pick<Redo, 'statements' | 'way'> {
  readonly kind: 'change'
  /** Further statements that change the ledger. */
  readonly record: readonly string[]
}

interface Versions {
  readonly before: readonly KeyedStep[]
  readonly after: readonly KeyedStep[]
  /** Index of the first step that differs. */
  readonly from: number
}

async function changeBetween(
  { structures }: RedoDeps,
  { base, kept }: ChangedProject,
  versions: Versions,
): Promise<Change | NoRedo> {
  const { after, before, from } = versions
  const continued = continuation(versions)
  if (continued !== undefined) return continued
  const build = (steps: readonly Step[]) => structures.of({ ...base, steps })
  if (dataOf(before.slice(from)) === dataOf(after.slice(from)))
    return await changeStructure(build, kept, versions)
  const undo = await planUndo(build, { steps: before, from, kept })
  return undo.kind === 'none'
    ? undo
    : { kind: 'change', way: 'undo', record: [], statements: [...undo.statements, failOnLoss()] }
}

/** Returns a change that runs statements which were only added at the end; `undefined` when this is not possible. */
function continuation({ after, before, from }: Versions): Change | undefined {
  const statementsOf = (steps: readonly KeyedStep[]) =>
    steps.slice(from).flatMap(({ statements }) => statements)
  const [old, wanted] = [statementsOf(before), statementsOf(after)]
  if (!old.every(({ key }, index) => wanted[index]?.key === key)) return undefined
  const added = wanted.slice(old.length)
  const change = { kind: 'change', way: 'continue', record: [] } as const
  if (added.length === 0) return { ...change, statements: [] }
  if (!after.slice(from).every(({ step }) => step.isTransactional)) return undefined
  const changesRows = added.some(({ isData }) => isData)
  const [last] = before.slice(from)
  // Added statements that change rows must belong to one step, because the ledger keeps the rows of one step at a time.
  const isOneStep =
    after.length === before.length &&
    from === before.length - 1 &&
    after[from]?.step.version === last?.step.version
  if (changesRows && !(isOneStep && last !== undefined)) return undefined
  return { ...change, statements: changesRows && last ? keeping(last, added) : added.map(plain) }
}

function keeping(
  { statements, step: { version } }: KeyedStep,
  added: readonly KeyedStatement[],
): readonly Guarded[] {
  return [
    { text: keepBefore(version, statements.length), isGuard: false },
    ...added.map(plain),
    { text: keepAfter(version), isGuard: false },
  ]
}

function plain({ text }: { readonly text: string }): Guarded {
  return { text, isGuard: false }
}

async function changeStructure(
  build: (steps: readonly Step[]) => ReturnType<StepStructures['of']>,
  kept: ChangedProject['kept'],
  { after, before, from }: Versions,
): Promise<Change | NoRedo> {
  const stepsOf = (some: readonly KeyedStep[]) => some.map(({ step }) => step)
  const [former, present] = [await build(stepsOf(before)), await build(stepsOf(after))]
  if (former.kind === 'failed') return none(reasonOf(former.failure))
  if (present.kind === 'failed') return none(reasonOf(present.failure))
  const { notGenerated, statements } = diffStatements(former.structure, present.structure, {
    allowDestructive: true,
  })
  const [left] = notGenerated
  if (left !== undefined) return none(`${left.object} cannot be changed: ${left.reason}`)
  const lost = statements.flatMap(({ loses }) => loses ?? [])
  return {
    kind: 'change',
    way: 'change',
    // Forgets the kept rows of a step with several parts, because other statements are between the parts now.
    record: forgetParts(
      before
        .slice(from)
        .flatMap(({ step: { version } }) => ((kept.get(version)?.length ?? 0) > 1 ? version : [])),
    ),
    statements: [
      ...guardAgainst(lost, former.structure),
      failOnLoss(),
      ...fillNulls(
        statements.map(({ sql }) => sql),
        former.structure,
        present.structure,
      ).map((text) => plain({ text })),
    ],
  }
}

function reasonOf({ line, message, step = 'the SQL of the fixture' }: StepFailure): string {
  return `${step}${line === undefined ? '' : `:${line}`} fails in an empty project with "${message}"`
}

/** File names of steps whose statements differ, or that only one of the lists contains. */
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

// Fills null values with the default of a column before a changed step makes the column NOT NULL. Pure.

/**
 * Returns the differ's statements from `former` to `present`, with an update before each `set not null` of a column that has a
 * default. The rows get the value that they would have if the step had contained the default from the beginning.
 */
function fillNulls(
  statements: readonly string[],
  former: SchemaStructure,
  present: SchemaStructure,
): readonly string[] {
  const fills = new Map<string, string>()
  for (const { columns, name } of present.relations) {
    const known = former.relations.find((relation) => relation.name === name)
    for (const { expression, generated, name: column, notNull } of columns) {
      const old = known?.columns.find((one) => one.name === column)
      if (expression === undefined || generated !== undefined || notNull === undefined) continue
      if (old === undefined || old.notNull !== undefined) continue
      const [table, field] = [plainIdentifier(name), plainIdentifier(column)]
      const fill = `update only ${table} set ${field} = ${expression} where ${field} is null`
      fills.set(
        `alter table ${table} alter column ${field} set not null`,
        localStatement(fill, present.schemaName, new Set()),
      )
    }
  }
  return statements.flatMap((text) => {
    const fill = fills.get(text)
    return fill === undefined ? [text] : [fill, text]
  })
}

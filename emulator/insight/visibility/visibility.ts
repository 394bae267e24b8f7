// Finds the rows that identities see after a change and did not see before, or no longer see. Each engine job runs the scripts
// again, asks a few questions and rolls back. Other requests therefore wait for one short job at a time.

import type { Principal } from '../../core/principal.ts'
import { type Answer, cellText, SqlError } from '../../database/engine.ts'
import type { RehearsalQuestions } from '../../database/rehearsal.ts'
import { bind, type Sql } from '../../database/sql.ts'
import { parseRecordText } from '../../database/values/row-text.ts'
import type { RelationPair } from './affected.ts'
import { questionsOf } from './ask-identities.ts'
import { compareSeen, type Difference, type Seen, seenRows } from './compare-visibility.ts'
import type { RehearseScripts } from './rehearse-scripts.ts'
import type { ReadingRole } from './relations.ts'
import { shortCell } from './short-cell.ts'
import {
  type ComparedRelation,
  comparedRelation,
  exampleColumns,
  exampleQuestion,
  MAX_COMPARED_ROWS,
  type Side,
  tooLarge,
  visibleRowsQuestion,
} from './visible-rows.ts'

export interface RehearsalIdentity {
  readonly label: string
  readonly role: ReadingRole
  readonly principal: Principal
  /** The principal that reads after the change. Absent when the change leaves the claims of the identity alone. */
  readonly principalAfter?: Principal
}

/** Cells by column, as Postgres's text; long cells are cut. */
export type ExampleRow = Readonly<Record<string, string | null>>

export interface VisibilityChange {
  readonly table: string
  readonly identity: RehearsalIdentity
  /** Whether a key identifies the rows. Otherwise a changed row counts as a lost and a gained row. */
  readonly hasKey: boolean
  /** Numbers of the gained rows. A row has the same number for all identities. */
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  readonly gainedExample: ExampleRow | undefined
  readonly lostExample: ExampleRow | undefined
  /** Why reading the table fails after the change. */
  readonly error: string | undefined
}

export interface Visibility {
  readonly changes: readonly VisibilityChange[]
  /** Sentences that say which tables' rows were not compared, and why. */
  readonly notes: readonly string[]
}

/** Limit of the estimated milliseconds of a job's questions. */
const JOB_BUDGET_MILLIS = 5
// Measured milliseconds for planning one table, and for one identity's question about the table, before or after the change.
const PLAN_MILLIS = 0.2
const ASK_MILLIS = 0.03
const BYTES_PER_MILLI = 60_000
const MAX_EXAMPLES_PER_JOB = 12

/** One role's questions about a few relations, for all identities of the role. */
interface Task {
  readonly role: ReadingRole
  readonly identities: readonly RehearsalIdentity[]
  readonly relations: readonly ComparedRelation[]
}

interface Finding {
  readonly relation: ComparedRelation
  readonly identity: RehearsalIdentity
  readonly difference: Difference
}

/** @throws {SqlError} as `RehearseScripts` */
export async function findVisibility(
  rehearse: RehearseScripts,
  pairs: readonly RelationPair[],
  identities: readonly RehearsalIdentity[],
): Promise<Visibility> {
  const skipped = new Map<string, string>()
  const tasks = (['anon', 'authenticated'] as const).flatMap((role) => {
    const alike = identities.filter((identity) => identity.role === role)
    return alike.length === 0 ? [] : tasksOf(pairs, role, alike, skipped)
  })
  const findings: Finding[] = []
  for (const job of jobsOf(tasks)) findings.push(...(await compare(rehearse, job)))
  const changes = findings.filter(({ difference, relation }) => {
    if (!difference.isTooMany) return true
    skipped.set(relation.name, `has more than ${MAX_COMPARED_ROWS} visible rows`)
    return false
  })
  return {
    changes: await withExamples(rehearse, changes.toSorted(byTable)),
    notes: [...skipped].map(
      ([table, reason]) => `Visible rows of ${table} were not compared: it ${reason}.`,
    ),
  }
}

function byTable({ relation: a }: Finding, { relation: b }: Finding): number {
  return a.name < b.name ? -1 : Number(a.name > b.name)
}

function tasksOf(
  pairs: readonly RelationPair[],
  role: ReadingRole,
  identities: readonly RehearsalIdentity[],
  skipped: Map<string, string>,
): readonly Task[] {
  return pairs.flatMap((pair) => {
    const relation = comparedRelation(pair, role)
    if (relation === undefined) return []
    const reason = tooLarge(relation)
    if (reason === undefined) return [{ role, identities, relations: [relation] }]
    skipped.set(relation.name, reason)
    return []
  })
}

/** Groups tasks into jobs within the budget. Combines the tasks of the same role in a job into one task. */
function jobsOf(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const jobs: Task[][] = []
  let spent = Number.POSITIVE_INFINITY
  for (const task of tasks) {
    const cost = costOf(task)
    if (spent + cost > JOB_BUDGET_MILLIS) {
      jobs.push([])
      spent = 0
    }
    spent += cost
    const job = jobs.at(-1) ?? []
    const last = job.at(-1)
    if (last?.role === task.role)
      job[job.length - 1] = { ...last, relations: [...last.relations, ...task.relations] }
    else job.push(task)
  }
  return jobs
}

function costOf({ identities, relations }: Task): number {
  return relations.reduce((sum, { after, before }) => {
    const sides = [before, after].filter((side) => side !== undefined)
    const bytes = sides.reduce((total, { relation }) => total + relation.bytes, 0)
    const asking = identities.length * (ASK_MILLIS * sides.length + bytes / BYTES_PER_MILLI)
    return sum + PLAN_MILLIS * sides.length + asking
  }, 0)
}

// When a statement fails for one relation, it fails for all its relations. Each relation is then read alone.
async function compare(
  rehearse: RehearseScripts,
  tasks: readonly Task[],
): Promise<readonly Finding[]> {
  const { answers, findings } = await ask(rehearse, tasks)
  const isShared = tasks.some(({ relations }) => relations.length > 1)
  if (!isShared || !answers.some((answer) => answer instanceof SqlError)) return findings
  const single = tasks.flatMap((task) =>
    task.relations.map((relation) => ({ ...task, relations: [relation] })),
  )
  return (await ask(rehearse, single)).findings
}

async function ask(
  rehearse: RehearseScripts,
  tasks: readonly Task[],
): Promise<{ readonly answers: readonly Answer[]; readonly findings: readonly Finding[] }> {
  const groups = { before: groupsOf(tasks, 'before'), after: groupsOf(tasks, 'after') }
  const answered = await rehearse({
    before: groups.before.map(({ group }) => group),
    after: groups.after.map(({ group }) => group),
  })
  const before = seenBy(groups.before, answered.before)
  const after = seenBy(groups.after, answered.after)
  const findings = tasks.flatMap(({ identities, relations }) =>
    relations.flatMap((relation) =>
      identities.flatMap((identity) => {
        const then = before.get(relation)?.get(identity)
        const difference = compareSeen(then, after.get(relation)?.get(identity))
        return difference === undefined ? [] : [{ relation, identity, difference }]
      }),
    ),
  )
  return { answers: [...answered.before, ...answered.after], findings }
}

interface TaskGroup {
  readonly task: Task
  readonly side: Side
  readonly group: RehearsalQuestions
}

function groupsOf(tasks: readonly Task[], side: Side): readonly TaskGroup[] {
  return tasks.flatMap((task) => {
    const statement = visibleRowsQuestion(task.relations, side)
    if (statement === undefined) return []
    return [{ task, side, group: groupOf(side, task, statement) }]
  })
}

// The path names no relation, because a question is about several relations.
function groupOf(
  side: Side,
  { identities, role }: Pick<Task, 'identities' | 'role'>,
  statement: Sql,
): RehearsalQuestions {
  const principals = identities.map((one) => principalOf(one, side))
  return { role, ...questionsOf(principals, { relation: '', statement }) }
}

function principalOf({ principal, principalAfter }: RehearsalIdentity, side: Side): Principal {
  return side === 'after' ? (principalAfter ?? principal) : principal
}

type SeenBy = ReadonlyMap<ComparedRelation, ReadonlyMap<RehearsalIdentity, Seen>>

function seenBy(groups: readonly TaskGroup[], answers: readonly Answer[]): SeenBy {
  const seen = new Map<ComparedRelation, Map<RehearsalIdentity, Seen>>()
  const left = [...answers]
  for (const { side, task } of groups) {
    const indexes = task.relations.flatMap((relation, index) =>
      relation[side] === undefined ? [] : [index],
    )
    for (const identity of task.identities)
      for (const [index, rows] of seenRows(left.shift(), indexes)) {
        const relation = task.relations[index]
        if (relation === undefined) continue
        const known = seen.get(relation) ?? new Map<RehearsalIdentity, Seen>()
        seen.set(relation, known.set(identity, rows))
      }
  }
  return seen
}

interface Wanted {
  readonly finding: Finding
  readonly side: Side
  readonly columns: readonly string[]
  readonly group: RehearsalQuestions
}

/** Reads one gained and one lost row as examples for each finding, as the identity that sees the row. */
async function withExamples(
  rehearse: RehearseScripts,
  findings: readonly Finding[],
): Promise<readonly VisibilityChange[]> {
  const wanted = findings.flatMap((finding) => [
    ...wantedExample(finding, 'after', finding.difference.gained[0]),
    ...wantedExample(finding, 'before', finding.difference.lost[0]),
  ])
  const examples = new Map<Finding, { before?: ExampleRow; after?: ExampleRow }>()
  for (let at = 0; at < wanted.length; at += MAX_EXAMPLES_PER_JOB) {
    const part = wanted.slice(at, at + MAX_EXAMPLES_PER_JOB)
    const of = (side: Side) => part.filter((one) => one.side === side)
    const answered = await rehearse({
      before: of('before').map(({ group }) => group),
      after: of('after').map(({ group }) => group),
    })
    for (const side of ['before', 'after'] as const)
      for (const [index, { columns, finding }] of of(side).entries()) {
        const row = exampleRow(answered[side][index], columns)
        if (row !== undefined) examples.set(finding, { ...examples.get(finding), [side]: row })
      }
  }
  return findings.map((finding) => toChange(finding, examples.get(finding)))
}

function wantedExample(
  finding: Finding,
  side: Side,
  number: string | undefined,
): readonly Wanted[] {
  const { identity, relation } = finding
  const read = relation[side]
  if (number === undefined || read === undefined) return []
  const statement = bind(exampleQuestion(read, relation.role), [number])
  const group = groupOf(side, { role: relation.role, identities: [identity] }, statement)
  return [{ finding, side, columns: exampleColumns(read.relation, relation.role), group }]
}

function exampleRow(
  answer: Answer | undefined,
  columns: readonly string[],
): ExampleRow | undefined {
  const text = answer instanceof SqlError ? undefined : cellText(answer?.[0]?.[0])
  if (text === undefined) return undefined
  const cells = parseRecordText(text)
  return Object.fromEntries(columns.map((name, index) => [name, shortCell(cells[index] ?? null)]))
}

function toChange(
  { difference, identity, relation }: Finding,
  examples: { readonly before?: ExampleRow; readonly after?: ExampleRow } | undefined,
): VisibilityChange {
  const { error, gained, lost } = difference
  const failure =
    error &&
    `${identity.label}: SELECT on ${relation.name} fails after the change: ${error.message}`
  return {
    table: relation.name,
    identity,
    hasKey: relation.hasKey,
    gained,
    lost,
    gainedExample: examples?.after,
    lostExample: examples?.before,
    error: failure,
  }
}

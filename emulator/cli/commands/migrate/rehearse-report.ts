// Formats the answer of `tenantry migrate rehearse` for the terminal, and as Markdown for a pull request. Pure.
import type { ProjectDrift } from '../../../contract/drift.ts'
import type {
  ProjectRehearsal,
  RehearsalReport,
  RehearsedLoss,
  VisibilityChange,
} from '../../../contract/rehearsals.ts'
import { printable } from '../../../core/printable.ts'

export function rehearsalLines({
  fixture_problem: fixtureProblem,
  template,
  tenants,
}: RehearsalReport): string {
  const failed = tenants.filter(({ ok }) => !ok).length
  const lines = [template, ...tenants].flatMap((project) => [
    `${project.slug}: ${outcomeOf(project)}`,
    ...driftTexts(project).map((text) => `  drift: ${text}`),
    ...project.losses.map((loss) => `  loses ${lossText(loss)}`),
    ...project.visibility.map((change) => `  ${changeText(change)}`),
    ...project.notes.map((note) => `  ${note}`),
  ])
  const summary =
    failed === 0
      ? 'Nothing was applied. The steps would succeed in every rehearsed tenant.'
      : `Nothing was applied. The steps would fail in ${failed} of ${tenants.length} tenants.`
  return [
    ...lines,
    ...(fixtureProblem === null ? [] : [fixtureProblem]),
    template.ok ? summary : `${summary} They would fail in the template.`,
  ]
    .map(printable)
    .join('\n')
}

function outcomeOf(project: ProjectRehearsal): string {
  const {
    duration_ms: millis,
    error,
    line,
    ok,
    pending,
    rows_changed: rows,
    statement,
    step,
  } = project
  if (ok && pending.length === 0) return 'no pending steps'
  if (ok)
    return `ok, ${pending.length} pending, ${rows} ${rows === 1 ? 'row' : 'rows'} changed, ${millis.toFixed(0)} ms`
  const place = [step, line].filter((part) => part !== null).join(':')
  const at = place === '' ? '' : ` at ${place}`
  const text = statement === null ? '' : ` in: ${statement.replaceAll(/\s+/g, ' ')}`
  return `fails${at}: ${error?.message ?? ''} (${error?.code ?? ''})${text}`
}

/** Returns a text for each object that differs from what the project's steps build. */
function driftTexts({ drift }: ProjectRehearsal): readonly string[] {
  return drift.map(differenceText)
}

/** Describes an object that differs from what the project's steps build. */
export function differenceText({
  kind,
  name,
  object,
}: ProjectDrift['differences'][number]): string {
  return `${object} ${name} is ${kind}`
}

/** Says how many rows an identity newly sees, or no longer sees. */
export function changeText(change: VisibilityChange): string {
  const { error, example, gained, has_key: hasKey, identity, lost, table } = change
  if (error !== null) return error
  const row = example === null ? '' : `, e.g. ${JSON.stringify(example)}`
  if (!hasKey && gained > 0 && lost > 0)
    return `${identity} sees other rows of ${table}: ${gained} new or changed, ${lost} gone or changed${row}. The rows have no key, so they cannot be matched.`
  const counts = [
    ...(gained > 0 ? [`newly sees ${gained}`] : []),
    ...(lost > 0 ? [`no longer sees ${lost}`] : []),
  ].join(' and ')
  const noun = (lost || gained) === 1 ? 'row' : 'rows'
  return `${identity} ${counts} ${noun} of ${table}${row}`
}

/** Names lost rows, or lost values of a column, with one of the rows. */
function lossText({ column, example, rows, table }: RehearsedLoss): string {
  const counted = `${rows} ${rows === 1 ? 'row' : 'rows'}`
  const lost =
    column === null ? `${counted} of ${table}` : `the value of ${table}.${column} in ${counted}`
  return example === null ? lost : `${lost}, e.g. ${example}`
}

/** Returns a table of projects, and tables of lost rows and of changed visibility. */
export function rehearsalMarkdown(report: RehearsalReport): string {
  const { fixture_problem: fixtureProblem, group, ok, template, tenants } = report
  const projects = [template, ...tenants]
  const changes = projects.flatMap(({ slug, visibility }) =>
    visibility.map((change) => [
      slug,
      change.table,
      change.identity,
      change.error ?? `+${change.gained} −${change.lost}`,
      change.example === null ? '' : JSON.stringify(change.example),
    ]),
  )
  const drifts = projects.flatMap((project) =>
    driftTexts(project).map((text) => [project.slug, text]),
  )
  const losses = projects.flatMap(({ losses: each, slug }) =>
    each.map((loss) => [slug, lossText(loss)]),
  )
  const notes = projects.flatMap(({ notes: each, slug }) => each.map((note) => [slug, note]))
  return [
    `### Rehearsal of ${cell(group)}: ${ok ? 'all steps would succeed' : 'steps would fail'}`,
    table(
      ['project', 'result'],
      projects.map((project) => [project.slug, outcomeOf(project)]),
    ),
    ...(fixtureProblem === null ? [] : [cell(fixtureProblem)]),
    ...(losses.length === 0 ? [] : [table(['project', 'loses'], losses)]),
    ...(changes.length === 0
      ? ['No rehearsed identity would see other rows.']
      : [table(['project', 'table', 'identity', 'rows', 'example'], changes)]),
    ...(drifts.length === 0 ? [] : [table(['project', 'drift'], drifts)]),
    ...(notes.length === 0 ? [] : [table(['project', 'note'], notes)]),
  ].join('\n\n')
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [lineOf(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(lineOf)].join('\n')
}

// Escapes values of rows, so that they cannot end the cell or start markup.
function cell(text: string): string {
  return printable(text)
    .replaceAll(/[\\|`<>*_[\]]/g, '\\$&')
    .replaceAll(/\s+/g, ' ')
}

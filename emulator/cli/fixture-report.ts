// Formats the results of `tenantry fixture` for the terminal.
import type { FixtureCounts, FixtureReport, FixtureSummary } from '../contract/fixtures.ts'
import { problemLine } from '../fixtures/read/fixture-error.ts'

/** Prints one line per fixture. */
export function fixtureLines(fixtures: readonly FixtureSummary[]): string {
  const width = Math.max(0, ...fixtures.map(({ name }) => name.length))
  return fixtures
    .map(
      ({ is_applied: isApplied, name, title }) =>
        `${name.padEnd(width)}  ${isApplied ? '✓' : ' '}  ${title}`,
    )
    .join('\n')
}

/** Lists problems one per line, in the format that editors and terminals link. Without problems, lists what was created. */
export function reportLines(report: FixtureReport): string {
  const { applied, created, duration_ms: millis, fixture, problems, unchanged } = report
  if (problems.length > 0)
    return [
      ...problems.map(problemLine),
      `${fixture}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}; nothing was applied.`,
    ].join('\n')
  const head = applied ? `Applied ${fixture}` : `${fixture} has no problems`
  const made = countsText(created)
  const kept = countsText(unchanged)
  return `${head} in ${millis} ms: ${applied ? 'made' : 'would make'} ${made || 'nothing new'}${kept === '' ? '' : `; there already: ${kept}`}.`
}

function countsText(counts: FixtureCounts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`)
    .join(', ')
}

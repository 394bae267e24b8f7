// The API report: one line for each public name and member, in `docs/api/current.txt`. `docs/api/released.txt` is the report of
// the version in package.json. Each difference between the two reports needs a line in CHANGELOG.md.
import type { PublicName } from './public-api.ts'

/** Text of the report. Lines are sorted, so that moving a declaration changes nothing. */
export function apiReport(version: string, api: readonly PublicName[]): string {
  const lines = api.flatMap(({ entry, name, declaration, members }) => [
    `${entry} | ${name} | ${declaration}`,
    ...members.map((member) => `${entry} | ${name}.${member.path} | ${member.declaration}`),
  ])
  return `${[headOf(version), ...[...new Set(lines)].toSorted()].join('\n')}\n`
}

/** The version in the first line of a report. */
export function versionOf(report: string): string {
  return report.split('\n')[0]?.replace(headOf(''), '') ?? ''
}

const headOf = (version: string): string => `# Public declarations of tenantry ${version}`

/**
 * Names of members and declarations that differ between two reports and that the section [Unreleased] does not contain as
 * `code`.
 */
export function unstatedChanges(
  released: string,
  current: string,
  changelog: string,
): readonly string[] {
  const [before, after] = [linesOf(released), linesOf(current)]
  const changed = [...before, ...after].filter((line) => !(before.has(line) && after.has(line)))
  const stated = statedWords(changelog)
  const names = new Set(changed.map((line) => line.split(' | ')[1] ?? line))
  return [...names].filter((name) => !stated.has(wordOf(name))).toSorted()
}

function linesOf(report: string): ReadonlySet<string> {
  return new Set(report.split('\n').filter((line) => line.includes(' | ')))
}

/** The last name of a path. For a constructor or a call signature, the name before it. */
function wordOf(path: string): string {
  const names = path.split('.').filter((name) => name !== 'constructor' && name !== '()')
  return names.at(-1) ?? path
}

function statedWords(changelog: string): ReadonlySet<string> {
  const section = /^## \[Unreleased\]$(.*?)(?=^## |$(?![\s\S]))/ms.exec(changelog)?.[1] ?? ''
  const spans = section.match(/`[^`]+`/g) ?? []
  return new Set(spans.flatMap((span) => span.match(/[\w$]+/g) ?? []))
}

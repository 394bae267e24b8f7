// The table of outside tools in docs/reference/platforms.md, from what `npm run outside` recorded. Pure; `npm run docs`
// writes it, and a test fails when the page is older than the record.

export type EngineName = 'embedded' | 'server'

/** `refused`: the platform refuses a request that the tool always sends. Other failures have a text with the reason. */
export type Outcome = 'works' | 'refused' | `fails: ${string}`

/** A tool as `npm run outside` ran it. Texts are Markdown. */
export interface ToolResult {
  readonly name: string
  readonly version: string
  /** What the suite did with the tool. */
  readonly does: string
  /** The settings that the tool needs, or what to use instead of it. */
  readonly setting: string
  /** An outcome for each engine. An engine that was not available has none. */
  readonly outcomes: Readonly<Partial<Record<EngineName, Outcome>>>
}

const START = '<!-- table of tools: `npm run docs` writes it -->'
const END = '<!-- end of the table -->'

/** Replaces the table of a page. @throws when the page has no markers for the table */
export function withToolTable(page: string, results: readonly ToolResult[]): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`the page lacks "${START}" or "${END}"`)
  return `${page.slice(0, start + START.length)}\n\n${toolTable(results)}\n\n${page.slice(end)}`
}

function toolTable(results: readonly ToolResult[]): string {
  const rows = results.map(({ name, version, does, setting, outcomes }) => [
    name,
    version,
    does,
    setting,
    outcomes.embedded ?? 'not run',
    outcomes.server ?? 'not run',
  ])
  const lines = [['tool', 'version', 'what it did', 'setting', 'embedded', 'server'], ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
  return [lines[0], '|---|---|---|---|---|---|', ...lines.slice(1)].join('\n')
}

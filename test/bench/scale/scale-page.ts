// Writes docs/how-far-it-goes.md with its charts from the figures of scale.ts.
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { packageFile } from '../../../emulator/core/package-files.ts'

/** What the bench asks after each step. Times are medians in wall milliseconds. */
export interface Answers {
  /** From spawning the process to the first row over REST. */
  readonly startMillis: number
  /** Proportional memory of the idle process. `undefined` where the system does not report it. */
  readonly memoryMib: number | undefined
  readonly diskMib: number
  /** The first read of a tenant after a start, and the second one. */
  readonly firstReadMillis: number
  readonly secondReadMillis: number
  readonly readMillis: number
  readonly insertMillis: number
  readonly deepPageMillis: number
  readonly countMillis: number
  readonly listMillis: number
  readonly infoMillis: number
  readonly overviewMillis: number
}

export interface Series {
  readonly name: string
  readonly steps: readonly { readonly size: number; readonly answers: Answers }[]
}

type Question = keyof Answers

const WORDS: Readonly<Record<Question, string>> = {
  startMillis: 'start, ms',
  memoryMib: 'memory idle, MiB',
  diskMib: 'disk, MiB',
  firstReadMillis: 'first read of a tenant, ms',
  secondReadMillis: 'second read, ms',
  readMillis: 'read 20 rows, ms',
  insertMillis: 'insert a row, ms',
  deepPageMillis: 'page at offset 40,000, ms',
  countMillis: 'read with an exact count, ms',
  listMillis: 'list a folder of files, ms',
  infoMillis: '`/_emulator/v1/info`, ms',
  overviewMillis: '`/_emulator/v1/overview`, ms',
}
const QUESTIONS = Object.keys(WORDS) as readonly Question[]
const INTRODUCTIONS: Readonly<Record<string, string>> = {
  tenants: 'Tenants of 30 tables each, cloned from one template.',
  rows: 'Rows in one table of one tenant.',
  objects: 'Files of one byte in one bucket, in 100 folders.',
  requests: 'Requests that the emulator answered before. The journal keeps the latest ones.',
  users: 'Users of one tenant.',
}

export function writePage(series: readonly Series[]): void {
  for (const one of series)
    writeFileSync(packageFile('docs/images', `scale-${one.name}.svg`), chartOf(one))
  writeFileSync(packageFile('docs/how-far-it-goes.md'), pageOf(series))
}

function pageOf(series: readonly Series[]): string {
  const [processor] = cpus()
  const machine = `${cpus().length} × ${processor?.model.trim() ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}`
  return `# How far it goes

\`npm run bench -- --scale\` fills an emulator step by step and asks the same questions after each step. It wrote this page.

- Machine: ${machine}
- Engine: embedded
- All figures are medians. Times of another machine differ.

Each chart shows how many times as much a question costs as after the first step. The band marks 20 % more.
\`/_emulator/v1/overview\` reads unknown sizes, a few in each call, so its first calls after a start cost most.
${series.map(sectionOf).join('')}`
}

function sectionOf(series: Series): string {
  const { name, steps } = series
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const table = [
    row([name, ...steps.map(({ size }) => size.toLocaleString('en'))]),
    row(['---', ...steps.map(() => '---:')]),
    ...QUESTIONS.map((question) =>
      row([WORDS[question], ...steps.map(({ answers }) => shown(answers[question]))]),
    ),
  ]
  return `
## ${title}

${INTRODUCTIONS[name] ?? ''}

![Cost by number of ${name}](images/scale-${name}.svg)

${table.join('\n')}
`
}

function shown(value: number | undefined): string {
  if (value === undefined) return '–'
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

const SIZE = { width: 720, height: 300, left: 48, right: 200, top: 16, bottom: 36 }
const DRAWN: readonly (readonly [Question, color: string])[] = [
  ['startMillis', '#5b5bd6'],
  ['firstReadMillis', '#c2410c'],
  ['readMillis', '#0f766e'],
  ['insertMillis', '#a21caf'],
  ['listMillis', '#4d7c0f'],
]
const LEAST_TOP = 2
const MAX_TICKS = 6

/** An SVG with one line for each drawn question: its cost as a multiple of the first step's. */
function chartOf({ name, steps }: Series): string {
  const { bottom, height, left, right, top, width } = SIZE
  const lines = DRAWN.map(([question, color]) => ({
    color,
    word: WORDS[question].replace(', ms', '').replaceAll('`', ''),
    ratios: steps.map(
      ({ answers }) => (answers[question] ?? 0) / (steps[0]?.answers[question] ?? 1),
    ),
  }))
  const most = Math.max(LEAST_TOP, ...lines.flatMap(({ ratios }) => ratios))
  const x = (step: number): number =>
    left + ((width - left - right) * step) / Math.max(1, steps.length - 1)
  const y = (ratio: number): number => top + (height - top - bottom) * (1 - ratio / most)
  const text = (at: readonly [number, number], words: string, more = ''): string =>
    `<text x="${at[0]}" y="${at[1]}" ${more}>${words}</text>`
  const stride = Math.ceil(most / MAX_TICKS)
  const ticks = Array.from({ length: Math.floor(most / stride) }, (_, at) => (at + 1) * stride)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#334155">
<title>Cost by number of ${name}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<rect x="${left}" y="${y(1.2)}" width="${width - left - right}" height="${y(1) - y(1.2)}" fill="#e2e8f0"/>
${ticks.map((tick) => text([left - 8, y(tick) + 4], `${tick}×`, 'text-anchor="end"')).join('\n')}
${steps.map(({ size }, step) => text([x(step), height - 12], size.toLocaleString('en'), 'text-anchor="middle"')).join('\n')}
${lines
  .map(
    ({ color, ratios, word }, at) =>
      `<polyline points="${ratios.map((ratio, step) => `${x(step)},${y(ratio).toFixed(1)}`).join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>\n${text([width - right + 16, top + 16 + 20 * at], word, `fill="${color}"`)}`,
  )
  .join('\n')}
</svg>
`
}

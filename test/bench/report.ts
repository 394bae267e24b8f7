// Prints the bench's figures, writes them as JSON, and marks figures that are worse than in the previous run by more than the
// noise. Rates and times are compared in proportion to the machine's measured speed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { median } from './measure.ts'

export type Unit = 'ms' | 'us' | 'per s' | 'MB/s' | 'MiB' | 'KiB'

export interface Figure {
  /** The figure's name, which is the same in every run. */
  readonly name: string
  readonly unit: Unit
  readonly value: number
  /** The variation of the figure within this run, as a fraction of its value. */
  readonly spread?: number | undefined
}

export interface BenchRun {
  /** Microseconds that a fixed computation takes on this machine. */
  readonly machineMicros: number
  readonly figures: readonly Figure[]
}

export interface Worse {
  readonly figure: Figure
  readonly before: number
  /** The loss as a fraction of the earlier value. */
  readonly loss: number
}

/** A change below this fraction of the value always counts as noise, even for a figure that did not vary within its run. */
const LEAST_NOISE = 0.15
const HIGHER_IS_BETTER: ReadonlySet<Unit> = new Set(['per s', 'MB/s'])
const INDEPENDENT_OF_SPEED: ReadonlySet<Unit> = new Set(['MiB', 'KiB'])

/** Returns the figures that are worse than before by more than the noise of both runs, worst first. Pure. */
export function findWorse(before: BenchRun, now: BenchRun): readonly Worse[] {
  const known = new Map(before.figures.map((figure) => [figure.name, figure]))
  return now.figures
    .flatMap((figure) => {
      const earlier = known.get(figure.name)
      if (earlier === undefined || earlier.unit !== figure.unit) return []
      const expected = expectedNow(earlier, now.machineMicros / before.machineMicros)
      const change = figure.value / expected - 1
      const loss = HIGHER_IS_BETTER.has(figure.unit) ? -change : change
      const noise = Math.max(LEAST_NOISE, (earlier.spread ?? 0) + (figure.spread ?? 0))
      return loss > noise ? [{ figure, before: expected, loss }] : []
    })
    .toSorted((one, other) => other.loss - one.loss)
}

// The earlier run's figure, converted to the machine speed of this run.
function expectedNow({ unit, value }: Figure, slowness: number): number {
  if (INDEPENDENT_OF_SPEED.has(unit)) return value
  return HIGHER_IS_BETTER.has(unit) ? value / slowness : value * slowness
}

export interface Report {
  /** Prints a line and stores its figures for the comparison. */
  print(what: string, line: string, ...figures: readonly Figure[]): void
  /** Compares with the previous run in `file`, then replaces that run. */
  finish(file: string): void
}

export function openReport(): Report {
  const figures: Figure[] = []
  const machine = [machineMicros()]
  return {
    print: (what, line, ...measured) => {
      figures.push(...measured)
      process.stdout.write(`${what.padEnd(44)} ${line}\n`)
    },
    finish: (file) => {
      machine.push(machineMicros())
      const run = { machineMicros: median(machine), figures }
      const before = readRun(file)
      process.stdout.write(`\n${comparison(before, run, file)}\n`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
    },
  }
}

function comparison(before: BenchRun | undefined, run: BenchRun, file: string): string {
  if (before === undefined) return `No previous run in ${file}.`
  const slowness = (run.machineMicros / before.machineMicros).toFixed(2)
  const head = `Compared with ${file} (this run's machine takes ${slowness} times as long for the same work):`
  const worse = findWorse(before, run)
  if (worse.length === 0) return `${head}\n  nothing is worse by more than the noise`
  const lines = worse.map(
    ({ figure: { name, value, unit }, before: earlier, loss }) =>
      `  WORSE by ${(loss * 100).toFixed(0)} %  ${name.padEnd(44)} ${short(value)} ${unit}, expected ${short(earlier)}`,
  )
  return [head, ...lines].join('\n')
}

function short(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0)
}

function readRun(file: string): BenchRun | undefined {
  // The content is not validated, because only `finish` writes this file.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BenchRun) : undefined
}

const TRIES = 25
const MEBIBYTE = Buffer.alloc(1 << 20)

function machineMicros(): number {
  const times = Array.from({ length: TRIES }, () => {
    const started = performance.now()
    createHash('sha256').update(MEBIBYTE).digest()
    return (performance.now() - started) * 1_000
  })
  return median(times)
}

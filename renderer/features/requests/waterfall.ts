// Arranges the measured stages of a request as bars along its time. Pure.
import type { RequestStage } from '../../../emulator/contract/recording.ts'

export interface WaterfallBar {
  readonly name: string
  /** The work that took the time. */
  readonly detail: string
  /** Milliseconds from the arrival of the request to the start of the bar. */
  readonly from: number
  readonly millis: number
}

export interface Waterfall {
  readonly bars: readonly WaterfallBar[]
  /** Length in milliseconds. */
  readonly total: number
}

const WORDS: Readonly<Record<string, readonly [name: string, detail: string]>> = {
  receive: ['Receive', 'find the service'],
  jwt: ['Gate', 'check the credential'],
  body: ['Body', 'read the body'],
  parse: ['Parse', 'parse the request, and reload the schema when it changed'],
  plan: ['Plan', 'plan the statement, or reuse a cached plan'],
  transaction: ['Engine', 'wait for the engine and run the SQL'],
  response: ['Render', 'render the response'],
  check: ['Gate', 'check the key and the body'],
  reserve: ['Reserve', 'reserve the slug'],
  clone: ['Clone', 'clone the template'],
  keys: ['Keys', 'create the keys'],
  activate: ['Activate', 'activate the tenant'],
}
const FINISH = ['Finish', 'add the headers'] as const
/** The bar for services that do not name their stages, and for a request that ends before the next stage. */
const REST = ['Service', 'all stages that the service does not name'] as const

export function waterfallOf(stages: readonly RequestStage[]): Waterfall {
  const bars: WaterfallBar[] = []
  let from = 0
  const add = ([name, detail]: readonly [string, string], millis: number) => {
    bars.push({ name, detail, from, millis })
    from += millis
  }
  const isWhole = stages.some(({ name }) => name === 'response' || name === 'activate')
  for (const { name, duration_ms: millis, parts } of stages) {
    const engine = parts.find((part) => part.name === 'engine')?.duration_ms
    if (engine !== undefined) {
      // The engine reports only how long it ran. Therefore the time for the message back to this thread counts as waiting, too.
      const sql = Math.min(engine, millis)
      add(['Wait', 'wait for the engine, including messages to its thread and back'], millis - sql)
      add(['SQL', 'run in Postgres'], sql)
    } else add(name === 'finish' ? (isWhole ? FINISH : REST) : (WORDS[name] ?? [name, '']), millis)
  }
  return { bars, total: from }
}

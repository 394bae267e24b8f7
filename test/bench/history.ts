// Measures what the history of row changes costs: inserts with and without it, its space, and reading past rows.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createEmulator, type Emulator, type Tenant } from '../../emulator/index.ts'
import { closedLoop, type Loop, median } from './measure.ts'
import { temporaryDataDir } from './server.ts'

const ROUNDS = 5
const LANES = 16
const LOOP_MILLIS = 1_500
const ROWS = 100_000
const CHANGES = 10_000
const SQL =
  'create table notes (id bigint generated always as identity primary key, word text, at timestamptz default now())'

export interface HistoryFigures {
  /** Inserts of one row by 16 callers. */
  readonly without: Loop
  readonly recorded: Loop
  /** Rate with the history as a share of the rate without it: the median of rounds that alternate. */
  readonly share: number
  /** Reading one row of a table of 100,000 rows before its last 10,000 changes. */
  readonly pastMillis: number
  /** Undoing nothing, only the preview of one change. */
  readonly previewMillis: number
  /** Space of 100,000 recorded inserts. */
  readonly diskMib: number
}

export async function measureHistory(): Promise<HistoryFigures> {
  const shares: number[] = []
  let without: Loop | undefined
  let recorded: Loop | undefined
  {
    await using plain = await createEmulator()
    await using history = await createEmulator({ history: true })
    const insertPlain = await inserter(plain)
    const insertRecorded = await inserter(history)
    for (let round = 0; round < ROUNDS; round += 1) {
      without = await closedLoop(LANES, LOOP_MILLIS, insertPlain)
      recorded = await closedLoop(LANES, LOOP_MILLIS, insertRecorded)
      shares.push(recorded.perSecond / without.perSecond)
    }
  }
  if (without === undefined || recorded === undefined) throw new Error('no round was measured')
  const withRows = await diskAfterRows(true)
  const withoutRows = await diskAfterRows(false)
  return {
    without,
    recorded,
    share: median(shares),
    ...(await measurePast()),
    diskMib: withRows - withoutRows,
  }
}

async function inserter(emulator: Emulator): Promise<() => Promise<void>> {
  const tenant = await emulator.tenant('bench')
  await tenant.sql(SQL)
  const actor = await tenant.as({ role: 'service_role' })
  const headers = { 'content-type': 'application/json', prefer: 'return=minimal' }
  return async () => {
    const answer = await actor.fetch('/notes', {
      method: 'POST',
      headers,
      body: '{"word":"a short text"}',
    })
    if (answer.status !== 201)
      throw new Error(`an insert got ${answer.status}: ${await answer.text()}`)
  }
}

async function fill(tenant: Tenant, count: number): Promise<void> {
  await tenant.sql(
    `insert into notes (word) select 'a short text ' || n from generate_series(1, ${count}) as n`,
  )
}

async function diskAfterRows(history: boolean): Promise<number> {
  const dataDir = temporaryDataDir()
  try {
    const emulator = await createEmulator({ dataDir, history })
    const tenant = await emulator.tenant('bench')
    await tenant.sql(SQL)
    await emulator.close()
    const before = bytesOf(join(dataDir, 'postgres', 'base'))
    const again = await createEmulator({ dataDir, history })
    await fill(await again.tenant('bench'), ROWS)
    await again.close()
    return (bytesOf(join(dataDir, 'postgres', 'base')) - before) / 2 ** 20
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, facts) => sum + (facts.isFile() ? facts.size : 0), 0)
}

async function measurePast(): Promise<Pick<HistoryFigures, 'pastMillis' | 'previewMillis'>> {
  await using emulator = await createEmulator({ history: true })
  const tenant = await emulator.tenant('bench')
  await tenant.sql(SQL)
  await fill(tenant, ROWS)
  const call = async <Body>(path: string, body?: object): Promise<Body> => {
    const answer = await emulator.fetch(
      new Request(`http://127.0.0.1/_emulator/v1/projects/bench${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    )
    if (!answer.ok) throw new Error(`${path} got ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Body
  }
  const [last] = (
    await call<{ readonly changes: readonly { readonly sequence: number }[] }>('/history?limit=1')
  ).changes
  await tenant.sql(`update notes set word = word || '!' where id <= ${CHANGES}`)
  const at = String((last?.sequence ?? 0) + 1)
  const sql = 'select word from notes where id = 1'
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const durations: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = performance.now()
      await work()
      durations.push(performance.now() - started)
    }
    return median(durations)
  }
  const read = { sql, identity: 'owner', mode: 'read_only', at }
  const pastMillis = await timed(() => call('/sql', read))
  await tenant.sql(`update notes set word = 'last' where id = 5`)
  const [changed] = (
    await call<{ readonly changes: readonly { readonly transaction: string }[] }>(
      '/history?limit=1',
    )
  ).changes
  const previewMillis = await timed(() => call('/undo', { transaction: changed?.transaction }))
  return { pastMillis, previewMillis }
}

// Measures saving, comparing, restoring and resetting a small platform in memory and in this process. Also measures moving its
// clock by a month.
import { createEmulator } from '../../emulator/index.ts'
import { median } from './measure.ts'

const ROUNDS = 10
const MONTH_MILLIS = 30 * 86_400_000

export interface StateFigures {
  readonly saveMillis: number
  readonly restoreMillis: number
  /** Compares a snapshot with the current state, to which 1,000 rows and a table were added. */
  readonly compareMillis: number
  readonly resetMillis: number
  readonly monthMillis: number
}

/** Returns medians. Between two rounds, rows, a table and a project are added. */
export async function measureStates(): Promise<StateFigures> {
  await using emulator = await createEmulator()
  const call = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const { platform } = await emulator.ready('http://127.0.0.1')
    const answer = await emulator.fetch(
      new Request(`http://127.0.0.1/platform/v1${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${platform.session_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      }),
    )
    return (await answer.json()) as { readonly id: string }
  }
  const change = async (slug: string): Promise<void> => {
    const { id } = await call('/projects', { name: slug, slug, plan: 'scale' })
    await call(`/projects/${id}/db/exec`, {
      sql: 'create table t (id bigint primary key); insert into t select generate_series(1, 1000)',
    })
  }
  const timed = async (work: () => unknown): Promise<number> => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const compare = async (name: string): Promise<void> => {
    const address = `http://127.0.0.1/_emulator/v1/snapshots/${name}/compare`
    const answer = await emulator.fetch(new Request(address))
    if (!answer.ok) throw new Error(`comparing got ${answer.status}: ${await answer.text()}`)
  }
  await change('first')
  const figures = {
    save: [] as number[],
    compare: [] as number[],
    restore: [] as number[],
    reset: [] as number[],
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    figures.save.push(await timed(() => emulator.snapshot('one', { replace: true })))
    await change(`more_${round}`)
    figures.compare.push(await timed(() => compare('one')))
    figures.restore.push(await timed(() => emulator.restore('one')))
    await change(`other_${round}`)
    figures.reset.push(await timed(() => emulator.reset()))
  }
  const monthMillis = await timed(() => emulator.clock.advance(MONTH_MILLIS))
  return {
    saveMillis: median(figures.save),
    restoreMillis: median(figures.restore),
    compareMillis: median(figures.compare),
    resetMillis: median(figures.reset),
    monthMillis,
  }
}

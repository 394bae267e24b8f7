// When the emulator explains refused requests, and which requests it omits. The test moves the clock.
import { describe, expect, it } from 'vitest'
import type { AccessChain } from '../../../../emulator/contract/explain.ts'
import type { JournalEntry } from '../../../../emulator/contract/journal.ts'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import type { Observation } from '../../../../emulator/core/observation.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { createRefusalExplainer } from '../../../../emulator/insight/explain/requests/explain-refusals.ts'
import { until } from '../../../support/until.ts'

const entry = (id: number, schema = 'proj_north'): JournalEntry =>
  ({ request_id: `req_${id}`, schema_name: schema }) as JournalEntry

function lab(explain: (id: string, clock: ManualClock) => Promise<AccessChain | undefined>) {
  const clock = new ManualClock(epochMillis(0))
  const kept: string[] = []
  const reports: Observation[] = []
  const refusals = createRefusalExplainer({
    explain: ({ request_id: id }) => explain(id, clock),
    keep: ({ request_id: id }) => kept.push(id),
    wallClock: clock,
    report: (observation) => reports.push(observation),
  })
  return { clock, kept, refusals, reports }
}

/** An explanation that takes no time. */
const quick = async (id: string) => ({ request_id: id }) as AccessChain

/** An explanation that takes 10 ms. */
const slow = async (id: string, clock: ManualClock) => {
  await settled()
  clock.advance(10)
  return quick(id)
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('refused requests', () => {
  it('are explained only after the caller has received the answer', async () => {
    const { clock, kept, refusals } = lab(quick)
    refusals.note(entry(1))
    await settled()
    expect(kept).toEqual([])
    clock.advance(0)
    await settled()
    expect(kept).toEqual(['req_1'])
  })

  it('are explained after a pause of twice the last explanation’s duration', async () => {
    const { clock, kept, refusals } = lab(slow)
    for (const id of [1, 2]) refusals.note(entry(id))
    clock.advance(0)
    await until(() => kept.length === 1)
    clock.advance(19)
    await settled()
    expect(kept).toEqual(['req_1'])
    clock.advance(1)
    await until(() => kept.length === 2)
    expect(kept).toEqual(['req_1', 'req_2'])
  })

  it('are dropped, the oldest first, when more than 64 wait for an explanation', async () => {
    const { kept, refusals } = lab(quick)
    for (let id = 1; id <= 70; id += 1) refusals.note(entry(id))
    await refusals.settle({ schemaName: 'proj_north' })
    expect(kept).toHaveLength(64)
    expect(kept[0]).toBe('req_7')
  })

  it('are explained at once when their project is removed', async () => {
    const { kept, refusals } = lab(quick)
    refusals.note(entry(1))
    refusals.note(entry(2, 'proj_south'))
    await refusals.settle({ schemaName: 'proj_south' })
    expect(kept).toEqual(['req_2'])
    await refusals.settle({ requestId: 'req_1' })
    expect(kept).toEqual(['req_2', 'req_1'])
  })

  it('delay the removal of their project by two seconds at most', async () => {
    const { kept, refusals } = lab(async (id, clock) => {
      await settled()
      clock.advance(1_500)
      return quick(id)
    })
    for (const id of [1, 2, 3, 4, 5]) refusals.note(entry(id))
    await refusals.settle({ schemaName: 'proj_north' })
    expect(kept).toEqual(['req_1', 'req_2', 'req_3'])
  })

  it('get no explanation when explaining takes too long or fails, and a failure is reported once', async () => {
    const { kept, refusals, reports } = lab(async (id) => {
      if (id === 'req_1') return undefined
      throw new Error('no such table')
    })
    for (const id of [1, 2, 3]) refusals.note(entry(id))
    await refusals.settle({ schemaName: 'proj_north' })
    expect(kept).toEqual([])
    expect(reports).toMatchObject([{ kind: 'backgroundFailed', work: 'explain a refused request' }])
  })

  it('are dropped when the state is replaced, and ignored after close', async () => {
    const { clock, kept, refusals } = lab(quick)
    refusals.note(entry(1))
    refusals.forget()
    await refusals.close()
    refusals.note(entry(2))
    clock.advance(10)
    await settled()
    expect(kept).toEqual([])
  })
})

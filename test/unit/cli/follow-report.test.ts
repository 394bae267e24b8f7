// What `tenantry dev` prints about the losses of a save, and about identities that see other rows.
import { describe, expect, it } from 'vitest'
import { type DevReport, devLines } from '../../../emulator/cli/commands/dev/follow-report.ts'
import { refused } from '../../../emulator/workflow/fixtures/follow/follow-fixture.ts'

const REPORT: DevReport = {
  ...refused([]),
  event: 'waiting',
  fixture: 'notes',
  duration_ms: 7,
  hasNewTypes: false,
}
const LOSS = { project: 'acme', table: 'notes', rows: 1, example: null }
const OF_VALUES = { ...LOSS, column: 'title' }
const OF_ROWS = { ...LOSS, column: null }

describe('a save that waits', () => {
  it.each([
    ['values', [OF_VALUES], []],
    ['rows', [OF_ROWS, OF_VALUES], []],
    ['rows', [OF_VALUES], [{ project: 'acme', reason: 'a view reads it' }]],
  ])('says that it would lose %s', (what, losses, stuck) => {
    const text = devLines('tenantry', { ...REPORT, losses, stuck })
    expect(text).toContain(`because this save would lose ${what}:\n`)
    expect(text).toContain(`Press r to lose these ${what},`)
  })
})

describe('a save that was applied', () => {
  it.each([
    [1, 0, true, 'newly sees 1 row of notes'],
    [2, 1, true, 'newly sees 2 and no longer sees 1 row of notes'],
    [0, 2, true, 'no longer sees 2 rows of notes'],
    [2, 1, false, 'anon sees other rows of notes: 2 new or changed, 1 gone or changed. The rows'],
  ])('counts %i gained and %i lost rows, with a key (%s)', (gained, lost, hasKey, text) => {
    const change = {
      project: 'acme',
      table: 'notes',
      identity: 'anon',
      example: null,
      lost_example: null,
    }
    const people = [{ ...change, error: null, gained, lost, has_key: hasKey }]
    expect(devLines('tenantry', { ...REPORT, event: 'applied', people })).toContain(text)
  })
})

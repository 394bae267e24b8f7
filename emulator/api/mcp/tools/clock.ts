// clock: shows and moves platform time.
import { z } from 'zod'
import type { ClockCommand, ClockState } from '../../../contract/clock.ts'
import { defineTool, needed, requireWrites, type Tool } from '../tool.ts'

export const clock: Tool = defineTool({
  name: 'clock',
  title: 'Show and move the clock',
  description:
    'Shows or moves platform time, which decides every expiry and, with the embedded engine, the time of SQL. Moving it needs a server that allows writes.',
  input: z.strictObject({
    action: z.enum(['show', 'advance', 'set', 'freeze', 'resume', 'reset']).default('show'),
    seconds: z.number().optional().describe('advance: seconds forward'),
    instant: z
      .string()
      .optional()
      .describe('set, freeze: an instant such as 2027-01-01T09:00:00Z (freeze without it: now)'),
  }),
  changes: 'if_allowed',
  run: async (deps, input) => {
    const command = commandOf(input)
    if (command === undefined) return { entries: [stateLine(await deps.calls.call('GET /clock'))] }
    requireWrites(deps, 'move platform time')
    return { entries: [stateLine(await deps.calls.call('POST /clock', { body: command }))] }
  },
})

interface ClockInput {
  readonly action: 'show' | 'advance' | 'set' | 'freeze' | 'resume' | 'reset'
  readonly seconds?: number | undefined
  readonly instant?: string | undefined
}

function commandOf({ action, instant, seconds }: ClockInput): ClockCommand | undefined {
  switch (action) {
    case 'show':
      return undefined
    case 'advance':
      return { advance_ms: needed(seconds, 'seconds', action) * 1_000 }
    case 'set':
      return { set: needed(instant, 'instant', action) }
    case 'freeze':
      return { freeze: instant ?? true }
    case 'resume':
      return { resume: true }
    case 'reset':
      return { reset: true }
  }
}

function stateLine({ frozen, moves_sql_time, now, offset_ms }: ClockState): string {
  const offset = Math.round(offset_ms / 1_000)
  const sql = moves_sql_time
    ? ''
    : '. SQL does not follow, because the PostgreSQL server keeps its own time'
  return `Platform time is ${now}, ${frozen ? 'frozen' : 'running'}, ${offset} s ahead of this machine${sql}.`
}

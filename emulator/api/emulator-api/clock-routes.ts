// Routes that read and move platform time, below /_emulator/v1/clock.
import type { Hono } from 'hono'
import type { z } from 'zod'
import { CLOCK_OPERATIONS, type ClockCommand, type ClockState } from '../../contract/clock.ts'
import type { Clock } from '../../core/clock.ts'
import { ClockRangeError, type PlatformClock } from '../../core/platform-clock.ts'
import { toIso } from '../../core/time.ts'
import type { Engine } from '../../database/engine.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { type Bindings, mount } from '../../insight/api-kit/mount.ts'
import type { Expiries } from '../../insight/project-tools/expiries.ts'

/** The parts of the emulator that `clockState` describes. */
export interface ClockParts {
  readonly clock: PlatformClock
  readonly wallClock: Clock
  readonly engine: Pick<Engine, 'facts'>
}

export function mountClock(
  app: Hono<Bindings>,
  deps: ClockParts & { readonly expiries: Expiries },
): void {
  const { clock, expiries } = deps
  mount(app, CLOCK_OPERATIONS, {
    'GET /clock': () => clockState(deps),
    'GET /clock/expiries': ({ query }) => expiries.list(query.limit),
    'GET /clock/receipt': ({ query }) => expiries.receipt(query.limit),
    'POST /clock': ({ body }) => {
      moveClock(clock, body)
      return clockState(deps)
    },
  })
}

export function clockState({ clock, engine, wallClock }: ClockParts): ClockState {
  return {
    now: toIso(clock.now()),
    frozen: clock.time.kind === 'frozen',
    offset_ms: clock.now() - wallClock.now(),
    moves_sql_time: engine.facts.movesSqlTime,
  }
}

/** @throws {InspectorError} `invalid_request` when the instant is out of range */
function moveClock(clock: PlatformClock, command: z.output<typeof ClockCommand>): void {
  try {
    move(clock, command)
  } catch (error) {
    if (!(error instanceof ClockRangeError)) throw error
    const { message, hint = '' } = error
    throw new InspectorError('invalid_request', message, { hint, cause: error })
  }
}

function move(clock: PlatformClock, command: z.output<typeof ClockCommand>): void {
  if ('advance_ms' in command) clock.advance(command.advance_ms)
  else if ('set' in command) clock.set(command.set)
  else if ('freeze' in command) clock.freeze(command.freeze === true ? clock.now() : command.freeze)
  else if ('resume' in command) clock.resume()
  else clock.reset()
}

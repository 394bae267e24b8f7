// `tenantry clock show|freeze|advance|set|resume|reset`: shows and moves the platform time of a running emulator.
import { Argument, Command, InvalidArgumentError } from 'commander'
import type { ClockCommand, ClockState } from '../../contract/clock.ts'
import { SECOND_MILLIS } from '../../core/time.ts'
import { formatDuration, parseDuration, parseInstantOption } from '../parse-options.ts'
import { emulatorOf, printAnswer, type RunningOptions, runningCommand } from '../running-options.ts'

export function clockCommand(): Command {
  const clock = new Command('clock').description(
    'show and change platform time, which tokens, codes, links and quotas use, and SQL’s now() of the embedded engine',
  )
  clock.addCommand(
    runningCommand('show', 'show platform time').action(async (options: RunningOptions) =>
      tell(options, await emulatorOf(options).call('GET /clock')),
    ),
    { isDefault: true },
  )
  clock.addCommand(
    runningCommand('freeze', 'freeze platform time')
      .argument(
        '[instant]',
        'instant, such as 2027-01-01T09:00:00Z (default: now)',
        parseInstantOption,
      )
      .action((instant: string | undefined, options: RunningOptions) =>
        move(options, { freeze: instant ?? true }),
      ),
  )
  clock.addCommand(
    runningCommand('advance', 'move time forward and run all tasks that become due')
      .addArgument(
        new Argument('<duration>', 'duration, such as 30d, 1h30m, 45s or 500ms').argParser(
          requireDuration,
        ),
      )
      .action((millis: number, options: RunningOptions) => move(options, { advance_ms: millis })),
  )
  clock.addCommand(
    runningCommand('set', 'set the time; a clock that is not frozen continues from it')
      .argument('<instant>', 'instant, such as 2027-01-01T09:00:00Z', parseInstantOption)
      .action((instant: string, options: RunningOptions) => move(options, { set: instant })),
  )
  clock.addCommand(
    runningCommand('resume', 'resume a frozen clock').action((options: RunningOptions) =>
      move(options, { resume: true }),
    ),
  )
  clock.addCommand(
    runningCommand('reset', 'return to the time of this machine').action(
      (options: RunningOptions) => move(options, { reset: true }),
    ),
  )
  return clock
}

const SERVER_TIME =
  'SQL’s now() does not follow, because the PostgreSQL server keeps its own time. Tokens, codes, links and quotas follow.'

async function move(options: RunningOptions, command: ClockCommand): Promise<void> {
  tell(options, await emulatorOf(options).call('POST /clock', { body: command }))
}

function tell(options: RunningOptions, state: ClockState): void {
  printAnswer(options, state, describeClock(state))
}

/** Returns the lines that the commands print for a state of the clock. */
export function describeClock({ frozen, moves_sql_time, now, offset_ms }: ClockState): string {
  const seconds = Math.round(offset_ms / 1_000)
  const moved =
    seconds === 0
      ? ''
      : `, ${formatDuration(Math.abs(seconds) * SECOND_MILLIS)} ${seconds > 0 ? 'ahead of' : 'behind'} this machine`
  const isMoved = frozen || seconds !== 0
  const note = isMoved && !moves_sql_time ? `\n${SERVER_TIME}` : ''
  return `${now}${frozen ? ', frozen' : ''}${moved}${note}`
}

function requireDuration(text: string): number {
  const millis = parseDuration(text)
  if (millis === undefined)
    throw new InvalidArgumentError('Write a duration such as 30d, 1h30m, 45s or 500ms.')
  return millis
}

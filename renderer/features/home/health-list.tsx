// How each service is, with the reason when it is not well.
import type { ReactElement } from 'react'
import type { ServiceHealth } from '../../../emulator/contract/overview.ts'
import { Chip } from '../../ui/chip.tsx'
import { formatBytes } from '../../ui/format.ts'
import { StatusDot } from '../../ui/status-dot.tsx'

const NAMES: Readonly<Record<ServiceHealth['service'], string>> = {
  database: 'Database',
  rest: 'Data (REST)',
  auth: 'Auth',
  storage: 'Storage',
  realtime: 'Realtime',
  management: 'Management',
}

const DOTS = { well: 'well', degraded: 'changing', down: 'bad' } as const
/** Said in the sentence already, or of no interest while it is nothing. */
const QUIET = new Set(['requests', 'sockets', 'channels', 'answered_in_ms'])

export function HealthList({
  services,
}: {
  readonly services: readonly ServiceHealth[]
}): ReactElement {
  return (
    <ul aria-label="Services">
      {services.map(({ service, state, sentence, facts }) => (
        <li
          key={service}
          className="grid min-h-9 grid-cols-[132px_minmax(0,1fr)_auto] items-center gap-3 border-b px-4 py-1 last:border-b-0"
        >
          <StatusDot state={DOTS[state]} label={NAMES[service]} />
          <span className={state === 'well' ? 'truncate text-ink-dim' : 'text-ink'}>
            {state === 'well' ? undefined : (
              <Chip tone={state === 'down' ? 'refused' : 'clock'}>{state}</Chip>
            )}{' '}
            {sentence}
          </span>
          <span className="flex gap-3 text-small text-ink-dim">
            {Object.entries(facts)
              .filter(([name, value]) => !QUIET.has(name) && value !== '0')
              .map(([name, value]) => (
                <span key={name}>{factWords(name, value)}</span>
              ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

function factWords(name: string, value: string): string {
  if (name.endsWith('_bytes')) return `${formatBytes(Number(value))} ${name.slice(0, -6)}`
  return `${value} ${name.replaceAll('_', ' ')}`
}

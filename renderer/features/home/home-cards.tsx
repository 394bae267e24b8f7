// The cards of the home screen show health, addresses, keys and facts about the emulator.
import type { ReactElement } from 'react'
import type { ReadyLine } from '../../../emulator/contract/addresses.ts'
import type { Home } from '../../../emulator/contract/home.ts'
import type { ProjectList, ServiceHealth } from '../../../emulator/contract/overview.ts'
import { useIsClockMoved } from '../../api/platform-clock.ts'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf } from '../../ui/form-values.ts'
import { formatBytes } from '../../ui/format.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Secret } from '../../ui/secret.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { tenantIn } from './first-steps.ts'

const SERVICE_NAMES: Readonly<Record<ServiceHealth['service'], string>> = {
  database: 'Database',
  rest: 'Data (REST)',
  auth: 'Auth',
  storage: 'Storage',
  realtime: 'Realtime',
  management: 'Management',
  folder: 'Application folder',
}

const DOTS: Readonly<Record<ServiceHealth['state'], 'well' | 'changing' | 'bad'>> = {
  well: 'well',
  degraded: 'changing',
  down: 'bad',
}
/** Facts that the card does not list, because the service's sentence already contains them. */
const QUIET = new Set(['requests', 'sockets', 'channels', 'answered_in_ms'])

/** Lists each service with its state. An unhealthy service shows the reason. */
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
          className="grid min-h-9 grid-cols-[132px_minmax(0,1fr)] items-center gap-3 border-b px-4 py-1 last:border-b-0"
        >
          <StatusDot state={DOTS[state]} label={SERVICE_NAMES[service]} />
          <div className="min-w-0">
            <p className={state === 'well' ? 'text-ink-dim' : 'text-ink'}>
              {state !== 'well' && (
                <Chip tone={state === 'down' ? 'refused' : 'clock'}>{state}</Chip>
              )}{' '}
              {sentence}
            </p>
            <p className="text-small text-ink-dim empty:hidden">
              {Object.entries(facts)
                .filter(([name, value]) => !QUIET.has(name) && value !== '0')
                .map(([name, value]) => factText(name, value))
                .join(', ')}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function factText(name: string, value: string): string {
  if (name === 'percent_waiting') return `work spent ${value} % of its time in the queue`
  if (name.endsWith('_bytes')) return `${formatBytes(Number(value))} ${name.slice(0, -6)}`
  return `${value} ${name.replaceAll('_', ' ')}`
}

export function AddressList({ info }: { readonly info: ReadyLine }): ReactElement {
  const addresses = [
    ['Auth, management', info.auth_url],
    ['Data (REST)', info.data_url],
    ['Storage', info.storage_url],
    ['Realtime', info.realtime_url],
    ['Postgres', info.postgres_url],
  ] as const
  return (
    <div className="px-4 py-3">
      <dl className="grid gap-1">
        {addresses.map(([name, url]) => (
          <div key={name}>
            <dt className="text-small text-ink-dim">{name}</dt>
            <dd>
              {url === null ? (
                <span className="text-ink-dim">not listening; start with --postgres-port</span>
              ) : (
                <MiddleTruncate text={url} tail={14} copyLabel={`Copy address of ${name}`} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Shows the keys of the current tenant and its group. Each key is hidden until the user reveals the key. */
export function KeyList(props: {
  readonly info: ReadyLine
  readonly tenant: string | undefined
}): ReactElement {
  const { info, tenant: slug } = props
  const found = tenantIn(info, slug)
  if (found === undefined)
    return (
      <EmptyState
        title="No keys"
        detail="The keys of a tenant appear here. Choose a tenant in the top bar."
      />
    )
  const { group, tenant } = found
  const keys = [
    ['anon key', tenant.anon_key],
    ['service_role key', tenant.service_role_key],
    ['management key', tenant.management_key],
    ['Group API Key', group.group_api_key],
    ['session token', info.platform.session_token],
    [`password of ${info.platform.email}`, info.platform.password],
  ] as const
  return (
    <div className="px-4 py-3">
      <KeyValueList
        items={[
          [
            'Schema',
            <MiddleTruncate key="schema" text={tenant.schema_name} copyLabel="Copy schema" />,
          ],
          ...keys.map(
            ([name, value]) => [name, <Secret key={name} value={value} label={name} />] as const,
          ),
        ]}
      />
    </div>
  )
}

export function EngineFacts({
  home,
  list,
}: {
  readonly home: Home
  readonly list: ProjectList
}): ReactElement {
  const isMoved = useIsClockMoved()
  const projects = list.projects.filter(({ state }) => state === 'active')
  return (
    <div className="px-4 py-3">
      <KeyValueList
        items={[
          ['Version', <code key="version">{home.version}</code>],
          [
            'Data directory',
            home.data_dir === null ? (
              <span key="none">none; data is kept in memory until the emulator stops</span>
            ) : (
              <MiddleTruncate
                key="dir"
                text={home.data_dir}
                tail={24}
                copyLabel="Copy data directory"
              />
            ),
          ],
          [
            'Started',
            <span key="started">
              <Timestamp at={home.started_at} format="exact" />
              {isMoved && <span className="text-ink-dim">, in machine time</span>}
            </span>,
          ],
          [
            'Memory',
            <span key="memory">
              <Bytes bytes={home.memory_bytes} />
              {home.engine_heap_bytes !== undefined && (
                <span className="text-ink-dim">
                  , including <Bytes bytes={home.engine_heap_bytes} /> for the database
                </span>
              )}
            </span>,
          ],
          [
            'Projects',
            `${countOf(list.groups.length, 'group')}, ${countOf(
              projects.filter(({ kind }) => kind === 'tenant').length,
              'tenant',
            )}, ${projects.filter(({ group_id: group, kind }) => kind === 'project' && group === null).length} without a group`,
          ],
        ]}
      />
    </div>
  )
}

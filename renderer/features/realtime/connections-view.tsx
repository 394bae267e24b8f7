// Lists the open sockets with their channels, subscriptions, presence and token expiry. The latest incidents are below
// the sockets.
import type { UseQueryResult } from '@tanstack/react-query'
import { Cable, Lock, UserRound } from 'lucide-react'
import type { ReactElement } from 'react'
import type {
  RealtimeChannel,
  RealtimeConnection,
  RealtimeOverview,
} from '../../../emulator/contract/realtime.ts'
import { useLive } from '../../api/live.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Countdown, Timestamp } from '../../ui/timestamp.tsx'
import { channelName } from './fan-out/fan-out-model.ts'
import { LiveRooms } from './live-rooms.tsx'
import { EMPTY, INCIDENTS } from './texts.ts'
import { type NameOfSubscriber, useSubscriberName } from './use-subscriber-name.ts'

export function ConnectionsView(props: {
  readonly tenant: string
  readonly overview: UseQueryResult<RealtimeOverview>
  readonly onTry: () => void
}): ReactElement {
  const { tenant, overview, onTry } = props
  const nameOf = useSubscriberName(tenant)
  return (
    <Loaded query={overview} what="connections">
      {({ connections }) => (
        <div className="flex flex-col gap-4 p-4">
          <LiveRooms tenant={tenant} connections={connections} />
          {connections.length === 0 ? (
            <EmptyState
              icon={<Cable />}
              {...EMPTY.connections}
              action={<Button onClick={onTry}>Join channel</Button>}
            />
          ) : (
            <ul aria-label="Connections" className="flex flex-col gap-3">
              {connections.map((connection) => (
                <Connection key={connection.id} connection={connection} nameOf={nameOf} />
              ))}
            </ul>
          )}
          <Incidents schemaName={`proj_${tenant}`} />
        </div>
      )}
    </Loaded>
  )
}

function Connection(props: {
  readonly connection: RealtimeConnection
  readonly nameOf: NameOfSubscriber
}): ReactElement {
  const { connection, nameOf } = props
  return (
    <li className="rounded-2 border bg-surface-1">
      <header className="flex h-9 items-center gap-3 px-3">
        <Cable className="size-4 text-ink-dim" />
        <span className="font-strong">{nameOf(connection)}</span>
        <code className="text-ink-dim">{connection.role}</code>
        <span className="ml-auto flex min-w-0 items-center gap-3 text-ink-dim">
          <Timestamp at={connection.connected_at} />
          <MiddleTruncate text={connection.id} />
        </span>
      </header>
      {connection.channels.length === 0 ? (
        <p className="border-t px-3 py-1 text-ink-dim">No channels joined.</p>
      ) : (
        <ul>
          {connection.channels.map((channel) => (
            <Channel key={channel.topic} channel={channel} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Channel({ channel }: { readonly channel: RealtimeChannel }): ReactElement {
  const present = Object.entries(channel.presence)
  return (
    <li className="flex flex-col gap-2 border-t px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-mono">{channelName(channel.topic)}</span>
        {channel.is_private ? <Chip icon={<Lock />}>private</Chip> : <Chip>public</Chip>}
        {channel.bindings.map(({ event, schema, table, filter }) => (
          <Chip key={`${event} ${schema} ${table} ${filter}`} isMono tone="changed" icon={null}>
            {event} {table}
            {filter === null ? '' : ` where ${filter}`}
          </Chip>
        ))}
        <span className="ml-auto text-ink-dim">
          {channel.token_expires_at === null ? (
            'token does not expire'
          ) : (
            <>
              token expires in <Countdown until={channel.token_expires_at} />
            </>
          )}
        </span>
      </div>
      {present.length !== 0 && (
        <dl aria-label="Presence" className="flex flex-col gap-1">
          {present.map(([key, metas]) => (
            <div key={key} className="flex min-w-0 items-center gap-2">
              <dt className="inline-flex shrink-0 items-center gap-2 [&_svg]:size-3 [&_svg]:text-allowed">
                <UserRound />
                {key}
              </dt>
              <dd className="truncate font-mono text-small text-ink-dim">
                {JSON.stringify(metas)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

/** Lists the latest incidents: refusals, expired tokens and closed sockets. */
function Incidents({ schemaName }: { readonly schemaName: string }): ReactElement | undefined {
  const events = useLive((snapshot) => snapshot.realtime)
  const own = events.filter((event) => event.schema_name === schemaName).slice(-20)
  if (own.length === 0) return undefined
  return (
    <Section title="Latest incidents">
      <ul className="flex flex-col gap-1">
        {own.toReversed().map(({ change, topic, reason }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: incidents have no id
          <li key={place} className="flex items-center gap-2">
            <Chip tone={change === 'closed' ? 'neutral' : 'refused'}>{INCIDENTS[change]}</Chip>
            {topic !== null && <code>{channelName(topic)}</code>}
            <span className="text-ink-dim">{reason}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

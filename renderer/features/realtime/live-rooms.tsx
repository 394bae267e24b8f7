// Shows realtime's load live: sockets, rooms and messages a second, with the members and messages of each room.
import { Lock } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { RealtimeConnection } from '../../../emulator/contract/realtime.ts'
import { useMessageRates } from '../../api/realtime-traffic.ts'
import { Chip } from '../../ui/chip.tsx'
import { formatNumber } from '../../ui/format.ts'
import { channelName } from './fan-out/fan-out-model.ts'
import { roomsOf } from './rooms.ts'

export function LiveRooms(props: {
  readonly tenant: string
  readonly connections: readonly RealtimeConnection[]
}): ReactElement {
  const { tenant, connections } = props
  const rates = useMessageRates(tenant)
  const rooms = useMemo(() => roomsOf(connections), [connections])
  const total = [...rates.values()].reduce((sum, rate) => sum + rate, 0)
  const most = Math.max(1, ...rates.values())
  return (
    <section
      aria-label="Realtime load"
      className="flex flex-col gap-3 rounded-2 border bg-surface-1 p-3"
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure name="Sockets" value={formatNumber(connections.length)} />
        <Figure name="Channels" value={formatNumber(rooms.length)} />
        <Figure name="Messages/s" value={rateText(total)} />
      </dl>
      {rooms.length > 0 && (
        <ul aria-label="Channels" className="flex flex-col gap-1">
          {rooms.map(({ topic, isPrivate, members }) => {
            const rate = rates.get(topic) ?? 0
            return (
              <li key={`${topic} ${isPrivate}`} className="flex items-center gap-3">
                <span className="min-w-0 flex-1 truncate font-mono">{channelName(topic)}</span>
                {isPrivate && <Chip icon={<Lock />}>private</Chip>}
                <span className="w-20 text-right text-ink-dim tabular-nums">
                  {members} {members === 1 ? 'member' : 'members'}
                </span>
                <span
                  aria-hidden="true"
                  className="h-2 w-32 overflow-hidden rounded-full bg-surface-3"
                >
                  <span
                    className="block h-full bg-accent"
                    style={{ width: `${(rate / most) * 100}%` }}
                  />
                </span>
                <span className="w-16 text-right tabular-nums">{rateText(rate)}/s</span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <div className="flex flex-col">
      <dt className="text-small text-ink-dim">{name}</dt>
      <dd className="text-figure tabular-nums">{value}</dd>
    </div>
  )
}

function rateText(rate: number): string {
  return rate === 0 || rate >= 10 ? formatNumber(Math.round(rate)) : rate.toFixed(1)
}

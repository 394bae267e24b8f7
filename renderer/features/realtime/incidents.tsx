// What sockets met: refusals, expired tokens, closed doors.
import type { ReactElement } from 'react'
import { useLive } from '../../api/live.ts'
import { Chip } from '../../ui/chip.tsx'
import { Section } from '../../ui/sheet.tsx'
import { channelName } from './fan-out-model.ts'

const INCIDENT_WORDS = {
  closed: 'socket closed',
  refused: 'channel refused',
  frameDropped: 'frame dropped',
} as const

export function Incidents({
  schemaName,
}: {
  readonly schemaName: string
}): ReactElement | undefined {
  const told = useLive((snapshot) => snapshot.realtime)
  const own = told.filter((event) => event.schema_name === schemaName).slice(-20)
  if (own.length === 0) return undefined
  return (
    <Section title="What ended lately">
      <ul className="flex flex-col gap-1">
        {own.toReversed().map(({ change, topic, reason }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what ended has no name of its own
          <li key={place} className="flex items-center gap-2">
            <Chip tone={change === 'closed' ? 'neutral' : 'refused'}>{INCIDENT_WORDS[change]}</Chip>
            {topic === null ? undefined : <code>{channelName(topic)}</code>}
            <span className="text-ink-dim">{reason}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

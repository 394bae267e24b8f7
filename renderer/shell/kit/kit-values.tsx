// The kit: values, chips, states.
import type { ReactElement } from 'react'
import { isoOf } from '../../api/time.ts'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { Code } from '../../ui/code.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { formatBytes } from '../../ui/format.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Meter } from '../../ui/meter.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { useNow } from '../../ui/platform-time.ts'
import { Secret } from '../../ui/secret.tsx'
import { Section } from '../../ui/sheet.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Bytes, Countdown, Duration, Timestamp } from '../../ui/timestamp.tsx'

const TONES: readonly Tone[] = [
  'neutral',
  'accent',
  'allowed',
  'refused',
  'unknown',
  'changed',
  'clock',
  'fault',
  'hidden',
]
const ID = '0197c2f4-7b1e-7c44-9a2d-3d5f1c0e8b6a'
const CLAIMS = {
  sub: ID,
  role: 'authenticated',
  exp: 1_795_000_000,
  aal: 'aal2',
  app_metadata: { providers: ['email', 'google'], clinic: null },
  is_anonymous: false,
}
const REFUSAL = Object.assign(new Error('The table appointments has row-level security.'), {
  code: '42501',
  hint: 'Grant select to anon, or sign in.',
})

export function KitValues(): ReactElement {
  const now = useNow(60_000)
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(360px,1fr))] gap-6 p-4">
      <Section title="Chips">
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Chip key={tone} tone={tone}>
              {tone}
            </Chip>
          ))}
        </div>
        <div className="flex gap-4">
          <StatusDot state="well" label="well" />
          <StatusDot state="changing" label="changing" />
          <StatusDot state="bad" label="down" />
          <StatusDot state="off" label="off" />
        </div>
      </Section>
      <Section title="Values">
        <KeyValueList
          items={[
            ['Id', <MiddleTruncate key="id" text={ID} copyLabel="Copy the id" />],
            ['Key', <Secret key="key" value={`tk_live_${ID}`} label="key" />],
            ['Seen', <Timestamp key="seen" at={isoOf(now - 125_000)} />],
            ['Exact', <Timestamp key="exact" at={isoOf(now)} format="exact" />],
            ['Expires in', <Countdown key="in" until={isoOf(now + 4_000_000)} />],
            ['Took', <Duration key="took" millis={1_234} />],
            ['Size', <Bytes key="size" bytes={123_456} />],
            ['Nothing', null],
          ]}
        />
        <Meter label="Storage" value={820e6} limit={1024 ** 3} format={formatBytes} />
        <Meter label="Tenants" value={50} limit={50} />
      </Section>
      <Section title="Claims">
        <JsonTree value={CLAIMS} label="claims" />
      </Section>
      <Section title="SQL">
        <Code text={'select id, starts_at\nfrom appointments\nwhere clinic_id = $1;'} label="SQL" />
      </Section>
      <Section title="Failed">
        <Failed error={REFUSAL} title="The rows could not be read" retry={() => {}} />
      </Section>
      <Section title="Loading">
        <Loading lines={3} />
      </Section>
      <Section title="Empty">
        <EmptyState title="No messages" detail="A code sent to a user shows up here at once." />
      </Section>
    </div>
  )
}

// Headers and bodies of both directions, as far as they were kept.
import type { ReactElement } from 'react'
import type { RequestRecording } from '../../../emulator/contract/recording.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section } from '../../ui/sheet.tsx'
import { BodyState, RecordedText } from './recorded-body.tsx'

export interface RequestExchangeProps {
  readonly recording: RequestRecording | null
}

export function RequestExchange({ recording }: RequestExchangeProps): ReactElement {
  if (recording === null) return <NotRecorded />
  return (
    <>
      <Section title="Request body" beside={<BodyState body={recording.request_body} />}>
        <RecordedText body={recording.request_body} label="request body" />
      </Section>
      <Section title="Response body" beside={<BodyState body={recording.response_body} />}>
        <RecordedText body={recording.response_body} label="response body" />
      </Section>
      <Headers title="Request headers" headers={recording.request_headers} />
      <Headers title="Response headers" headers={recording.response_headers} />
    </>
  )
}

/** In place of anything that only a recording tells. */
export function NotRecorded(): ReactElement {
  return (
    <EmptyState
      title="No longer recorded"
      detail="Headers, bodies and claims are kept for the newest requests until the emulator is started again."
    />
  )
}

function Headers({
  title,
  headers,
}: {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
}): ReactElement {
  const items = Object.entries(headers)
  return (
    <Section title={title}>
      {items.length === 0 ? (
        <p className="text-ink-dim">None.</p>
      ) : (
        <KeyValueList isMono items={items} />
      )}
    </Section>
  )
}

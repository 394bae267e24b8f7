// Shows the recorded headers and bodies of a request and its response.
import type { ReactElement } from 'react'
import type { RecordedBody, RequestRecording } from '../../../emulator/contract/recording.ts'
import { Chip } from '../../ui/chip.tsx'
import { Code } from '../../ui/code.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Bytes } from '../../ui/timestamp.tsx'

export function RequestExchange(props: {
  readonly recording: RequestRecording | null
}): ReactElement {
  const { recording } = props
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

/** Replaces headers or bodies when the request has no recording. */
export function NotRecorded(): ReactElement {
  return (
    <EmptyState
      title="Recording not available"
      detail="The emulator keeps headers, bodies and claims of the newest 1,000 requests and of the newest 200 refused ones until it stops. The journal keeps the reason of a refusal."
    />
  )
}

function Headers(props: {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
}): ReactElement {
  const { title, headers } = props
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

const ABSENCES: Readonly<Record<RecordedBody['state'], string>> = {
  complete: 'Empty.',
  empty: 'No body.',
  truncated: 'Not recorded: the body is too large.',
  binary: 'Not recorded: the body is not text.',
  unwatched:
    'Not recorded. Bodies of answered requests are recorded while an inspector is open, and bodies of refused requests unless you turned that off on Home. Replay the request to record them.',
}

function RecordedText(props: {
  readonly body: RecordedBody
  readonly label: string
}): ReactElement {
  const { body, label } = props
  if (body.text === null || body.text === '')
    return <p className="text-ink-dim">{ABSENCES[body.state]}</p>
  const json = body.state === 'complete' ? jsonOf(body.text) : undefined
  if (json !== undefined) return <JsonTree value={json.value} label={label} open={3} />
  return <Code text={body.text} label={label} isWrapped maxHeight={480} />
}

export function BodyState({ body }: { readonly body: RecordedBody }): ReactElement {
  return (
    <span className="flex items-center gap-2 text-small text-ink-dim">
      {body.state === 'truncated' && <Chip tone="unknown">truncated</Chip>}
      {body.state === 'unwatched' && <Chip>not recorded</Chip>}
      {body.size_bytes !== null && <Bytes bytes={body.size_bytes} />}
    </span>
  )
}

// Returns objects and lists only, because other JSON values need no tree.
function jsonOf(text: string): { readonly value: object } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) as object }
  } catch {
    return undefined
  }
}

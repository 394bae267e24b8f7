// A recorded body: JSON as a tree, other text as it is, and where there is none, why.
import type { ReactElement } from 'react'
import type { RecordedBody } from '../../../emulator/contract/recording.ts'
import { Chip } from '../../ui/chip.tsx'
import { Code } from '../../ui/code.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { Bytes } from '../../ui/timestamp.tsx'

const ABSENCES: Readonly<Record<RecordedBody['state'], string>> = {
  complete: 'Empty.',
  empty: 'There was none.',
  truncated: 'Too large to keep.',
  binary: 'Not text: its bytes are not kept.',
  unwatched:
    'Not kept: bodies are kept only while an inspector is open. Send it again, and this page will have it.',
}

export interface RecordedTextProps {
  readonly body: RecordedBody
  readonly label: string
}

export function RecordedText({ body, label }: RecordedTextProps): ReactElement {
  if (body.text === null || body.text === '')
    return <p className="text-ink-dim">{ABSENCES[body.state]}</p>
  const json = body.state === 'complete' ? jsonOf(body.text) : undefined
  if (json !== undefined) return <JsonTree value={json.value} label={label} open={3} />
  return <Code text={body.text} label={label} isWrapped maxHeight={480} />
}

export function BodyState({ body }: { readonly body: RecordedBody }): ReactElement {
  return (
    <span className="flex items-center gap-2 text-small text-ink-dim">
      {body.state === 'truncated' ? <Chip tone="unknown">only the start was kept</Chip> : undefined}
      {body.state === 'unwatched' ? <Chip>not watched</Chip> : undefined}
      {body.size_bytes === null ? undefined : <Bytes bytes={body.size_bytes} />}
    </span>
  )
}

// Only objects and lists are worth a tree.
function jsonOf(text: string): { readonly value: object } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) as object }
  } catch {
    return undefined
  }
}

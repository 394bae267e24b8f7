// The form that edits a request and sends it again: method, target, headers, body.
import { Send } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { Button } from '../../ui/button.tsx'
import { CodeEditor } from '../../ui/code-editor.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useResend } from './request-actions.tsx'
import { BodyState } from './request-exchange.tsx'
import { draftOf, type ResendDraft, readDraft } from './resend-draft.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].map((method) => ({
  value: method,
  label: method,
}))

export function ResendForm(props: {
  readonly detail: RequestDetail
  readonly onAnswered: (requestId: string) => void
}): ReactElement {
  const { detail, onAnswered } = props
  const before = draftOf(detail.entry, detail.recording)
  const [draft, setDraft] = useState(before)
  const { send, isSending, error } = useResend(detail.entry.request_id, onAnswered)
  const edit = (members: Partial<ResendDraft>) => setDraft({ ...draft, ...members })
  const read = readDraft(draft, before)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (read.kind === 'ready') send(read.replay)
      }}
    >
      <div className="flex items-end gap-2">
        <Select
          label="Method"
          isMono
          value={draft.method}
          options={METHODS}
          onChange={(method) => edit({ method })}
        />
        <div className="min-w-0 flex-1">
          <TextField
            label="Target"
            isMono
            value={draft.target}
            onChange={(target) => edit({ target })}
          />
        </div>
      </div>
      <TextField
        label="Headers"
        hint="Enter one “name: value” per line. The emulator replaces masked credentials with new credentials for the same identity."
        isMono
        lines={Math.min(10, Math.max(3, draft.headers.split('\n').length))}
        value={draft.headers}
        onChange={(headers) => edit({ headers })}
      />
      <Section
        title="Body"
        beside={
          detail.recording === null ? undefined : <BodyState body={detail.recording.request_body} />
        }
      >
        <div className="flex h-48 flex-col overflow-hidden rounded-2 border bg-surface-0">
          <CodeEditor
            label="Body"
            language="json"
            value={draft.body}
            onChange={(body) => edit({ body })}
          />
        </div>
      </Section>
      {read.kind === 'wrong' && <p className="text-refused">{read.problem}</p>}
      {error !== null && <Failed title="Could not send the request" error={error} />}
      <div className="flex items-center gap-2">
        <Button
          type="submit"
          tone="primary"
          icon={<Send />}
          isBusy={isSending}
          disabled={read.kind === 'wrong'}
        >
          Send request
        </Button>
        <Button tone="quiet" onClick={() => setDraft(before)}>
          Reset form
        </Button>
      </div>
    </form>
  )
}

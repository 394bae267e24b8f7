// The list of running and ended uploads at the bottom of the screen.
import { Check, CircleSlash, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { ApiError } from '../../api/client.ts'
import { Button, IconButton, Spinner } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { WhyLink } from './refusal.tsx'
import type { UploadJob, Uploads } from './use-uploads.ts'

export function UploadList({ uploads }: { readonly uploads: Uploads }): ReactElement | undefined {
  const { jobs } = uploads
  if (jobs.length === 0) return undefined
  const done = jobs.filter(({ state }) => state === 'done').length
  return (
    <section aria-label="Uploads" className="max-h-56 shrink-0 overflow-auto border-t bg-surface-1">
      <header className="sticky top-0 flex h-8 items-center gap-2 border-b bg-surface-1 px-4">
        <span role="status">
          {done} of {jobs.length} uploaded
        </span>
        <Button size="small" tone="quiet" className="ml-auto" onClick={uploads.clear}>
          Clear list
        </Button>
      </header>
      <ul className="divide-y">
        {jobs.map((job) => (
          <Job key={job.id} job={job} uploads={uploads} />
        ))}
      </ul>
    </section>
  )
}

function Job(props: { readonly job: UploadJob; readonly uploads: Uploads }): ReactElement {
  const { job, uploads } = props
  const isOpen = job.state === 'waiting' || job.state === 'sending'
  const share = job.size === 0 ? (job.state === 'done' ? 1 : 0) : job.sent / job.size
  return (
    <li className="flex min-h-8 items-center gap-3 px-4 py-1">
      <Mark job={job} />
      <span className="min-w-0 flex-1">
        <MiddleTruncate text={job.key} isMono />
        {job.state === 'refused' && (
          <span role="alert" className="block break-words text-small text-refused">
            {job.error instanceof Error ? job.error.message : String(job.error)}
          </span>
        )}
      </span>
      {isOpen && (
        <span
          role="progressbar"
          aria-label={`Upload of ${job.key}`}
          aria-valuenow={Math.round(share * 100)}
          className="h-1 w-32 overflow-hidden rounded-full bg-surface-3"
        >
          <span style={{ width: `${share * 100}%` }} className="block h-full bg-accent" />
        </span>
      )}
      <span className="w-36 text-right text-small text-ink-dim">
        {isOpen ? `${formatBytes(job.sent)} of ` : ''}
        {formatBytes(job.size)}
      </span>
      {isDuplicate(job) ? (
        <Button size="small" onClick={() => uploads.replace(job.id)}>
          Replace object
        </Button>
      ) : undefined}
      {job.state === 'refused' && <WhyLink error={job.error} />}
      {isOpen && (
        <IconButton
          size="small"
          label={`Cancel the upload of ${job.key}`}
          icon={<X />}
          onClick={() => uploads.cancel(job.id)}
        />
      )}
    </li>
  )
}

function Mark({ job }: { readonly job: UploadJob }): ReactElement {
  if (job.state === 'done')
    return <Check aria-label="Uploaded" className="size-4 shrink-0 text-allowed" />
  if (job.state === 'refused')
    return <X aria-label="Refused" className="size-4 shrink-0 text-refused" />
  if (job.state === 'cancelled')
    return <CircleSlash aria-label="Cancelled" className="size-4 shrink-0 text-ink-dim" />
  return <Spinner />
}

function isDuplicate({ error }: UploadJob): boolean {
  return error instanceof ApiError && /already exists/i.test(error.message)
}

// URLs of an object: a signed URL that expires, and the permanent URL of an object in a public bucket.
import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, Link2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { platformNow } from '../../api/platform-clock.ts'
import { type ObjectPlace, publicUrl, signUrl } from '../../api/storage.ts'
import { isoOf } from '../../api/time.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Countdown } from '../../ui/timestamp.tsx'
import { WhyLink } from './refusal.tsx'

const LIFETIMES = [
  { value: '60', label: '1 minute' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
] as const
type Lifetime = (typeof LIFETIMES)[number]['value']

export function ObjectLinks(props: {
  readonly place: ObjectPlace
  readonly isPublic: boolean
}): ReactElement {
  const { place, isPublic } = props
  const [seconds, setSeconds] = useState<Lifetime>('3600')
  const sign = useMutation({
    mutationFn: async () => ({
      url: await signUrl(place, Number(seconds)),
      until: isoOf(platformNow() + Number(seconds) * 1_000),
    }),
  })
  return (
    <>
      {isPublic && <PublicUrl place={place} />}
      <Section
        title="Signed URL"
        beside={
          <>
            <Select
              label="Valid for"
              size="small"
              value={seconds}
              options={LIFETIMES}
              onChange={setSeconds}
            />
            <Button
              size="small"
              icon={<Link2 />}
              isBusy={sign.isPending}
              onClick={() => sign.mutate()}
            >
              Sign URL
            </Button>
          </>
        }
      >
        {sign.error !== null ? (
          <p role="alert" className="text-refused">
            {sign.error.message} <WhyLink error={sign.error} />
          </p>
        ) : sign.data === undefined ? (
          <p className="text-ink-dim">
            The signed URL appears here. Anyone who has it can read the object until it expires.
          </p>
        ) : (
          <>
            <Url url={sign.data.url} label="signed URL" />
            <p className="flex items-center gap-2 text-ink-dim">
              <Chip tone="clock">
                <Countdown until={sign.data.until} />
              </Chip>
              of platform time left
            </p>
          </>
        )}
      </Section>
    </>
  )
}

function PublicUrl({ place }: { readonly place: ObjectPlace }): ReactElement {
  const { data: url } = useQuery({
    queryKey: ['storage', place.project, 'public', place],
    queryFn: () => publicUrl(place),
  })
  return (
    <Section title="Public URL">
      {url !== undefined && <Url url={url} label="public URL" />}
    </Section>
  )
}

function Url({ url, label }: { readonly url: string; readonly label: string }): ReactElement {
  return (
    <div className="flex items-center gap-1 rounded-1 border bg-surface-0 py-0.5 pr-1 pl-2">
      <span
        data-testid={label.replace(' ', '-').toLowerCase()}
        className="min-w-0 flex-1 truncate font-mono"
      >
        {url}
      </span>
      <CopyButton text={url} label={`Copy ${label}`} />
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open ${label}`}
        className="flex size-6 items-center justify-center rounded-1 text-ink-dim hover:bg-surface-2 hover:text-ink [&_svg]:size-[14px]"
      >
        <ExternalLink />
      </a>
    </div>
  )
}

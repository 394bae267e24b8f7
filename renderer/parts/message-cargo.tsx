// Shows the code and the link of a message, with buttons that copy or open them. Code and link are untrusted text.
import { ExternalLink, Link2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { MailboxMessage } from '../../emulator/contract/mailbox.ts'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { cx } from '../ui/cx.ts'
import { useNow, usePlatformTime } from '../ui/platform-time.ts'

/** Whether the code and the link of a message no longer work. */
export function useIsExpired({ expires_at: at }: Pick<MailboxMessage, 'expires_at'>): boolean {
  const now = useNow()
  return now >= (usePlatformTime().parse(at) ?? Number.POSITIVE_INFINITY)
}

export function MessageCargo({
  message,
}: {
  readonly message: Pick<MailboxMessage, 'code' | 'link' | 'expires_at'>
}): ReactElement | undefined {
  const { code, link } = message
  const isExpired = useIsExpired(message)
  if (code === null && link === null) return undefined
  return (
    <div className={cx('flex min-w-0 flex-wrap items-center gap-2', isExpired && 'text-ink-dim')}>
      {isExpired && <Chip tone="clock">expired</Chip>}
      {code !== null && (
        <span className="inline-flex h-7 items-center gap-1 rounded-1 border border-accent/40 bg-accent/10 pr-1 pl-2">
          <span className="text-small text-ink-dim">code</span>
          <code className="px-1 text-figure font-strong text-accent" data-code>
            {code}
          </code>
          <CopyButton text={code} label="Copy code" />
        </span>
      )}
      {link !== null && <LinkChip link={link} />}
    </div>
  )
}

function LinkChip({ link }: { readonly link: string }): ReactElement {
  return (
    <span className="inline-flex h-7 max-w-full min-w-0 items-center gap-1 rounded-1 border border-accent/40 bg-accent/10 pr-1 pl-2">
      {isWebAddress(link) ? (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          title={link}
          className="inline-flex min-w-0 items-center gap-1 text-accent hover:underline"
        >
          <ExternalLink className="size-3 shrink-0" />
          Open link
        </a>
      ) : (
        <span className="inline-flex min-w-0 items-center gap-1" title={link}>
          <Link2 className="size-3 shrink-0" />
          <span className="truncate font-mono">{link}</span>
        </span>
      )}
      <CopyButton text={link} label="Copy link" />
    </span>
  )
}

/** Whether the link is a web address. Links of other kinds, such as `javascript:`, never become clickable. */
function isWebAddress(link: string): boolean {
  return /^https?:\/\//i.test(link)
}

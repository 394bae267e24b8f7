// Shows one message with its recipient, purpose, code, link, and content as HTML or text.
import type { ReactElement } from 'react'
import type { MailboxMessage } from '../../../emulator/contract/mailbox.ts'
import { useMessage } from '../../api/mailbox.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { MessageCargo } from '../../parts/message-cargo.tsx'
import { PURPOSES } from '../../parts/message-purposes.ts'
import { Chip } from '../../ui/chip.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { ChannelIcon } from './message-columns.tsx'
import { CHANNELS } from './texts.ts'
import { WaitSnippet } from './wait-snippet.tsx'

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`

export function MessageSheet(props: {
  readonly id: number
  readonly isText: boolean
  readonly onText: (isText: boolean) => void
  readonly onClose: () => void
}): ReactElement {
  const { id, isText, onText, onClose } = props
  const query = useMessage(id)
  return (
    <Sheet
      name="message"
      label="Message"
      width={560}
      isBare
      onClose={onClose}
      title={query.data === undefined ? `Message ${id}` : (query.data.subject ?? query.data.text)}
    >
      <Loaded query={query} what="the message">
        {(message) => (
          <>
            <Head message={message} />
            <Content message={message} isText={isText} onText={onText} />
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

function Head({ message }: { readonly message: MailboxMessage }): ReactElement {
  return (
    <div className="flex shrink-0 flex-col gap-3 p-4">
      <KeyValueList
        items={[
          ['To', <MiddleTruncate key="to" text={message.to} copyLabel="Copy recipient" />],
          [
            'Channel',
            <span key="by" className="inline-flex items-center gap-2 align-middle">
              <ChannelIcon channel={message.channel} />
              {CHANNELS[message.channel]}
              <Chip>{PURPOSES[message.purpose]}</Chip>
            </span>,
          ],
          ['Tenant', <code key="tenant">{message.schema_name.replace(/^proj_/, '')}</code>],
          [
            'Sent',
            <span key="sent">
              <Timestamp at={message.sent_at} />{' '}
              <span className="text-ink-dim">
                <Timestamp at={message.sent_at} format="exact" />
              </span>
            </span>,
          ],
        ]}
      />
      <MessageCargo message={message} />
    </div>
  )
}

function Content(props: {
  readonly message: MailboxMessage
  readonly isText: boolean
  readonly onText: (isText: boolean) => void
}): ReactElement {
  const { message, isText, onText } = props
  const { html, text, subject } = message
  const open = html === null || isText ? 'text' : 'html'
  return (
    <div className="flex min-h-0 flex-1 flex-col border-t">
      <Tabs
        label="Content"
        value={open}
        tabs={
          html === null
            ? [{ value: 'text', label: 'Text' }]
            : [
                { value: 'html', label: 'HTML' },
                { value: 'text', label: 'Text' },
              ]
        }
        onChange={(next) => onText(next === 'text')}
        actions={<WaitSnippet to={message.to} tenant={message.schema_name} size="small" />}
      >
        {open === 'html' && html !== null ? (
          <MailFrame html={html} subject={subject ?? 'no subject'} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the text
          <pre tabIndex={0} className="flex-1 overflow-auto p-4 break-words whitespace-pre-wrap">
            {text}
          </pre>
        )}
      </Tabs>
    </div>
  )
}

/**
 * Shows the untrusted HTML of an e-mail. The frame has no origin, runs no scripts, opens no windows, sends no forms and
 * loads nothing from other hosts.
 */
function MailFrame(props: { readonly html: string; readonly subject: string }): ReactElement {
  const { html, subject } = props
  return (
    <iframe
      title={`E-mail: ${subject}`}
      sandbox=""
      srcDoc={`<!doctype html>${POLICY}${html}`}
      referrerPolicy="no-referrer"
      // E-mails are designed for a white background, so the frame is white in both themes.
      className="min-h-64 w-full flex-1 border-0 bg-[#ffffff] [color-scheme:light]"
    />
  )
}

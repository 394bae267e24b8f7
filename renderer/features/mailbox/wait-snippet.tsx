// Shows the request with which a test waits for the next message that matches the filters or resembles the open message.
import { Hourglass } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Popover } from '../../ui/popover.tsx'
import { waitingCalls } from './filter-messages.ts'
import { WAIT } from './texts.ts'

export function WaitSnippet(props: {
  readonly to?: string
  readonly tenant?: string | undefined
  readonly channel?: string | undefined
  readonly size?: 'small' | 'usual'
}): ReactElement {
  const { to, tenant, channel, size = 'usual' } = props
  const calls = waitingCalls(location.origin, {
    ...(to === undefined ? {} : { to }),
    ...(tenant === undefined ? {} : { tenant: tenant.replace(/^proj_/, '') }),
    ...(channel === undefined ? {} : { channel }),
  })
  return (
    <Popover
      title="Wait for message"
      align="end"
      trigger={
        <Button size={size} tone="quiet" icon={<Hourglass />}>
          Wait in a test…
        </Button>
      }
    >
      <div className="flex w-[560px] max-w-[80vw] flex-col gap-3">
        <p className="text-ink-dim">{WAIT}</p>
        <Code text={calls.curl} label="curl" isWrapped />
        <Code text={calls.script} label="script" isWrapped />
      </div>
    </Popover>
  )
}

// Opens the tenant's own application with a session of a user. The link signs in once, and returns to the application's
// address as a magic link does (docs/guide/inspector.md).
import { ExternalLink, Link2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { createSignInLink } from '../api/users.ts'
import { IconButton } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { useAction } from '../ui/form-action.ts'
import { useRemembered } from '../ui/remembered.ts'
import { TextField } from '../ui/text-field.tsx'

type Use = 'open' | 'copy'

/**
 * Give the component another key for another tenant, because each tenant has its own address.
 * @param props.user id of the user
 */
export function OpenApplication(props: {
  readonly tenant: string
  readonly user: string
}): ReactElement {
  const { tenant, user } = props
  // A tenant without an address of its own starts with the address that was used last.
  const [last, setLast] = useRemembered('application', '')
  const [kept, setKept] = useRemembered(`application.${tenant}`, last)
  const [text, setText] = useState(kept)
  const address = text.trim()
  const isReady = /^https?:\/\/\S+$/.test(address)
  const link = useAction<Use, string>({
    work: async (use) => {
      const { url } = await createSignInLink(tenant, user, address)
      if (use === 'copy') await navigator.clipboard.writeText(url)
      else window.open(url, '_blank', 'noopener')
      return url
    },
    done: (_url, use) =>
      use === 'open'
        ? { title: 'Application opened' }
        : { title: 'Link copied', detail: 'It signs in once, within five minutes.' },
    onDone: () => {
      setKept(address)
      setLast(address)
    },
    failure: 'Could not create the link',
  })
  const isBusy = (use: Use): boolean => link.isPending && link.variables === use
  return (
    <div className="flex min-w-0 items-end gap-2">
      <div className="max-w-[560px] min-w-0 flex-1">
        <Form
          layout="line"
          label="Open application"
          action="Open application"
          icon={<ExternalLink />}
          tone="primary"
          form={{ isReady, isSending: isBusy('open'), submit: () => link.mutate('open') }}
        >
          <TextField
            label="Address of the application"
            value={text}
            onChange={setText}
            isMono
            placeholder="http://localhost:3000/"
          />
        </Form>
      </div>
      <IconButton
        label="Copy link, for a private window that keeps your own session"
        icon={<Link2 />}
        disabled={!isReady || isBusy('copy')}
        onClick={() => link.mutate('copy')}
      />
    </div>
  )
}

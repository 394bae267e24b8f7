// Shows a user's addresses, dates, metadata, identities and second factors. All values show as text, never as HTML.
import type { ReactElement } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { Chip } from '../../ui/chip.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { EMPTY } from './texts.ts'
import { nameOf } from './user-facts.ts'

export function UserProfile({ user }: { readonly user: ProjectUserDetail }): ReactElement {
  return (
    <>
      <KeyValueList
        items={[
          ['ID', <MiddleTruncate key="id" text={user.id} copyLabel="Copy ID" />],
          ['Name', nameOf(user)],
          ['E-mail', <Address key="email" text={user.email} at={user.email_confirmed_at} />],
          ['Phone', <Address key="phone" text={user.phone} at={user.phone_confirmed_at} />],
          ['Password', user.has_password ? 'set' : EMPTY.password],
          ['Last sign-in', <Timestamp key="seen" at={user.last_sign_in_at} />],
          ...(user.banned_until === null
            ? []
            : [
                [
                  'Banned until',
                  <Timestamp key="ban" at={user.banned_until} format="exact" />,
                ] as const,
              ]),
          ['Created', <Timestamp key="created" at={user.created_at} />],
          ['Updated', <Timestamp key="changed" at={user.updated_at} />],
        ]}
      />
      <Section title="User metadata (writable by the user)">
        <JsonTree value={user.user_metadata} label="user metadata" />
      </Section>
      <Section title="App metadata (writable by the server only)">
        <JsonTree value={user.app_metadata} label="app metadata" />
      </Section>
      <Records title="Identities" none={EMPTY.identities} records={user.identities} />
      <Records title="Second factors" none={EMPTY.factors} records={user.factors} />
    </>
  )
}

function Address(props: {
  readonly text: string | null
  readonly at: string | null
}): ReactElement {
  const { text, at } = props
  if (text === null) return <span className="text-ink-dim">none</span>
  return (
    <span className="flex min-w-0 items-center gap-2">
      <MiddleTruncate text={text} tail={10} copyLabel={`Copy ${text}`} />
      {at === null ? <Chip tone="clock">unconfirmed</Chip> : <Chip>confirmed</Chip>}
    </span>
  )
}

function Records(props: {
  readonly title: string
  readonly none: string
  readonly records: readonly Readonly<Record<string, unknown>>[]
}): ReactElement {
  const { title, none, records } = props
  return (
    <Section title={title}>
      {records.length === 0 ? (
        <p className="text-ink-dim">{none}</p>
      ) : (
        records.map((record, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the records have no known id
          <JsonTree key={place} value={record} label={title} open={1} />
        ))
      )}
    </Section>
  )
}

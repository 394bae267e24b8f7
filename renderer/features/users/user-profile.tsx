// Who a user is: addresses, instants, metadata, identities and second factors. All of it is shown as text.
import type { ReactElement } from 'react'
import type { ProjectUserDetail } from '../../../emulator/contract/users.ts'
import { Chip } from '../../ui/chip.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { nameOf } from './user-facts.ts'

export function UserProfile({ user }: { readonly user: ProjectUserDetail }): ReactElement {
  return (
    <>
      <KeyValueList
        items={[
          ['Id', <MiddleTruncate key="id" text={user.id} copyLabel="Copy the id" />],
          ['Name', nameOf(user)],
          ['E-mail', <Address key="email" text={user.email} at={user.email_confirmed_at} />],
          ['Telephone', <Address key="phone" text={user.phone} at={user.phone_confirmed_at} />],
          ['Password', user.has_password ? 'set' : 'none: code, link or provider'],
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
          ['Changed', <Timestamp key="changed" at={user.updated_at} />],
        ]}
      />
      <Section title="User metadata (the user may write it)">
        <JsonTree value={user.user_metadata} label="user metadata" />
      </Section>
      <Section title="App metadata (only the server may)">
        <JsonTree value={user.app_metadata} label="app metadata" />
      </Section>
      <Records title="Identities" none="No provider is linked." records={user.identities} />
      <Records title="Second factors" none="None enrolled." records={user.factors} />
    </>
  )
}

function Address({
  text,
  at,
}: {
  readonly text: string | null
  readonly at: string | null
}): ReactElement {
  if (text === null) return <span className="text-ink-dim">none</span>
  return (
    <span className="flex min-w-0 items-center gap-2">
      <MiddleTruncate text={text} tail={10} copyLabel={`Copy ${text}`} />
      {at === null ? <Chip tone="clock">unconfirmed</Chip> : <Chip>confirmed</Chip>}
    </span>
  )
}

function Records({
  title,
  none,
  records,
}: {
  readonly title: string
  readonly none: string
  readonly records: readonly Readonly<Record<string, unknown>>[]
}): ReactElement {
  return (
    <Section title={title}>
      {records.length === 0 ? (
        <p className="text-ink-dim">{none}</p>
      ) : (
        records.map((record, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: foreign records, shown in their own order
          <JsonTree key={place} value={record} label={title} open={1} />
        ))
      )}
    </Section>
  )
}

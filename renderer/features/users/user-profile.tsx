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
      <Records
        title="Identities"
        none={EMPTY.identities}
        records={user.identities}
        facts={IDENTITY_FACTS}
      />
      <Records
        title="Second factors"
        none={EMPTY.factors}
        records={user.factors}
        facts={FACTOR_FACTS}
      />
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

type Shown = Readonly<Record<string, string>>

/** Members of a record that have a line of their own, with the labels to show. The other members show as JSON. */
const IDENTITY_FACTS: Shown = {
  provider: 'Provider',
  provider_user_id: 'ID there',
  email: 'E-mail',
}
const FACTOR_FACTS: Shown = {
  factor_type: 'Kind',
  friendly_name: 'Name',
  status: 'Status',
}

function Records(props: {
  readonly title: string
  readonly none: string
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly facts: Shown
}): ReactElement {
  const { title, none, records, facts } = props
  return (
    <Section title={title}>
      {records.length === 0 ? (
        <p className="text-ink-dim">{none}</p>
      ) : (
        records.map((record, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the records have no known id
          <div key={place} className="flex flex-col gap-2">
            <KeyValueList
              items={Object.entries(facts).flatMap(([member, name]) => {
                const value = record[member]
                return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
              })}
            />
            <JsonTree value={record} label={title} open={0} />
          </div>
        ))
      )}
    </Section>
  )
}

// Follows the user of the context bar: requests, messages, files and row changes in one list, newest first. The list
// follows the user live.
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Footprints } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { UserActivity } from '../../../emulator/contract/activity.ts'
import { ACTIVITY_KINDS } from '../../../emulator/contract/choices.ts'
import { useActivity } from '../../api/activity.ts'
import { useIdentities } from '../../api/explain.ts'
import { useActingAs } from '../../parts/acting-as.ts'
import { identityText } from '../../parts/identity-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { OpenApplication } from '../../parts/open-application.tsx'
import { useSetSearch } from '../../parts/search.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { countOf } from '../../ui/form-values.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { activityColumns, keyOfEntry } from './activity-columns.tsx'
import type { FollowSearch } from './follow-search.ts'
import { countText, EMPTY, KINDS } from './texts.ts'

export function FollowPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/follow' })
  const { identity } = useActingAs()
  if (identity?.kind === 'user')
    return <Followed key={`${tenant} ${identity.user}`} tenant={tenant} user={identity.user} />
  return (
    <>
      <PageHeader title="Follow user" />
      <EmptyState icon={<Footprints />} {...EMPTY.noUser} action={<UserChoice tenant={tenant} />} />
    </>
  )
}

/** Maximum number of users that the choice shows. */
const CHOICES = 6

function UserChoice({ tenant }: { readonly tenant: string }): ReactElement {
  const { data } = useIdentities(tenant)
  const users = data?.identities.filter(({ reference }) => reference.kind === 'user') ?? []
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label="Users" className="flex flex-col gap-1">
        {users.slice(0, CHOICES).map(({ label, reference }) => (
          <li key={label}>
            <Link
              to="/t/$tenant/follow"
              params={{ tenant }}
              search={{ as: identityText(reference) }}
              className="flex h-7 items-center justify-center rounded-1 border border-line-strong bg-surface-2 px-3 font-mono hover:bg-surface-3"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/t/$tenant/users" params={{ tenant }} className="text-accent underline">
        All users
      </Link>
    </div>
  )
}

function Followed(props: { readonly tenant: string; readonly user: string }): ReactElement {
  const { tenant, user } = props
  const search = useSearch({ from: '/t/$tenant/follow' })
  const query = useActivity(tenant, user, search.kind)
  const channels = query.data?.channels ?? []
  return (
    <>
      <PageHeader
        title="Follow user"
        beside={
          <>
            <Link
              to="/t/$tenant/users"
              params={{ tenant }}
              search={{ user: query.data?.user.id ?? user }}
              className="truncate font-mono text-ink hover:underline"
            >
              {user}
            </Link>
            {channels.length > 0 && (
              <span title={channels.join('\n')}>
                in {countOf(channels.length, 'realtime channel')}
              </span>
            )}
          </>
        }
      />
      <Loaded query={query} what="the activity" lines={8}>
        {(activity) => (
          <>
            <div className="border-b px-4 py-2">
              <OpenApplication tenant={tenant} user={activity.user.id} />
            </div>
            <Activity tenant={tenant} activity={activity} search={search} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Activity(props: {
  readonly tenant: string
  readonly activity: UserActivity
  readonly search: FollowSearch
}): ReactElement {
  const { tenant, activity, search } = props
  const go = useSetSearch<FollowSearch>()
  const columns = useMemo(() => activityColumns(tenant), [tenant])
  const { counts, entries } = activity
  const tabs = [
    { value: 'all', label: 'All' } as const,
    ...ACTIVITY_KINDS.map((kind) => ({
      value: kind,
      label: KINDS[kind].tab,
      beside: <span className="text-small tabular-nums">{countText(counts[kind])}</span>,
    })),
  ]
  return (
    <Tabs
      label="Kind of activity"
      value={search.kind ?? 'all'}
      tabs={tabs}
      onChange={(kind) => go({ kind: kind === 'all' ? undefined : kind })}
    >
      <DataGrid
        label="Activity"
        name="activity"
        columns={columns}
        rows={entries}
        rowKey={keyOfEntry}
        keepsPlace
        empty={<EmptyState icon={<Footprints />} {...EMPTY.activity} />}
      />
    </Tabs>
  )
}

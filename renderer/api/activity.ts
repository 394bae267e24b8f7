// Loads what a user did and received, and loads it again while the user is active.
import {
  keepPreviousData,
  type QueryClient,
  type UseQueryResult,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { UserActivity } from '../../emulator/contract/activity.ts'
import type { ActivityKind } from '../../emulator/contract/choices.ts'
import type { LiveEvent } from '../../emulator/contract/events.ts'
import { onLiveEvents } from './live.ts'
import { after } from './time.ts'
import { useOperation } from './use-operation.ts'

/** Wall-clock milliseconds between an event and the reload, so that a burst of events causes one reload. */
const RENEW_MILLIS = 250

/** Loads the activity of a user of a project, by id or e-mail address. The query reloads after the user's events. */
export function useActivity(
  tenant: string,
  user: string,
  kind: ActivityKind | undefined,
): UseQueryResult<UserActivity> {
  const query = useOperation(
    'GET /projects/:ref/users/:id/activity',
    ['activity', tenant, user, kind ?? 'all'],
    { params: { ref: tenant, id: user }, query: { kind } },
    { placeholderData: keepPreviousData },
  )
  const queries = useQueryClient()
  const followed = query.data?.user
  useEffect(
    () => (followed === undefined ? undefined : renewOnEvents(queries, tenant, followed)),
    [queries, tenant, followed],
  )
  return query
}

function renewOnEvents(
  queries: QueryClient,
  tenant: string,
  followed: UserActivity['user'],
): () => void {
  let cancel: (() => void) | undefined
  const renew = (): void => {
    cancel ??= after(RENEW_MILLIS, () => {
      cancel = undefined
      void queries.invalidateQueries({ queryKey: ['activity', tenant] })
    })
  }
  const stop = onLiveEvents((events) => {
    if (events.some((event) => concerns(event, `proj_${tenant}`, followed))) renew()
  })
  return () => {
    stop()
    cancel?.()
  }
}

/** Whether an event changes the activity of the user. */
export function concerns(
  event: LiveEvent,
  schemaName: string,
  { email, id, phone }: UserActivity['user'],
): boolean {
  switch (event.kind) {
    case 'request':
      return event.entry.schema_name === schemaName && event.entry.subject === id
    case 'message': {
      const to = event.message.to.toLowerCase()
      return (
        event.message.schema_name === schemaName && (to === email?.toLowerCase() || to === phone)
      )
    }
    case 'change':
      return (
        event.change.schema_name === schemaName &&
        event.change.verdicts.some(({ subject }) => subject === id)
      )
    case 'traffic':
      return event.schema_name === schemaName && event.has_changed
    default:
      return false
  }
}

// Users change by requests to the auth service, which the event stream tells: what is on the screen is read again then.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLiveEvents } from '../../api/live.ts'

export function useUserNews(tenant: string): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      onLiveEvents((events) => {
        const isNews = events.some(
          (event) =>
            event.kind === 'request' &&
            event.entry.service === 'auth' &&
            event.entry.method !== 'GET' &&
            event.entry.schema_name === `proj_${tenant}`,
        )
        if (isNews) void queries.invalidateQueries({ queryKey: ['users', tenant] })
      }),
    [queries, tenant],
  )
}

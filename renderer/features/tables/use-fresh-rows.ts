// Keeps the rows on the screen fresh while others write: after requests of the project that may have changed something.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '../../../emulator/contract/events.ts'
import { onLiveEvents } from '../../api/live.ts'
import { after } from '../../api/time.ts'

/** Wall milliseconds within which any number of writes lead to one reading. */
const PAUSE = 400

export function useFreshRows(tenant: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    let cancel: (() => void) | undefined
    const renew = () => {
      cancel = undefined
      for (const root of ['rows', 'explain'])
        void queries.invalidateQueries({ queryKey: [root, tenant] })
    }
    const stop = onLiveEvents((events) => {
      if (cancel === undefined && events.some((event) => mayChange(event, `proj_${tenant}`)))
        cancel = after(PAUSE, renew)
    })
    return () => {
      stop()
      cancel?.()
    }
  }, [queries, tenant])
}

function mayChange(event: LiveEvent, schemaName: string): boolean {
  if (event.kind === 'project') return event.schema_name === schemaName
  if (event.kind === 'snapshot') return event.change !== 'saved' && event.change !== 'deleted'
  if (event.kind !== 'request') return false
  const { entry } = event
  return (
    entry.schema_name === schemaName &&
    entry.status < 400 &&
    !['GET', 'HEAD', 'OPTIONS'].includes(entry.method) &&
    // The inspector's own questions are POSTs that change nothing; its edits renew by themselves.
    entry.service !== 'inspector'
  )
}

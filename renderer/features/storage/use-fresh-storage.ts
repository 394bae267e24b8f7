// What applications write to storage shows at once: a write that the journal tells of makes the lists old.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LiveEvent } from '../../../emulator/contract/events.ts'
import { onLiveEvents } from '../../api/live.ts'
import { renewLists } from '../../api/storage.ts'

export function useFreshStorage(tenant: string): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onLiveEvents((events) => {
        if (events.some((event) => isWrite(event, `proj_${tenant}`)))
          void renewLists(client, tenant)
      }),
    [client, tenant],
  )
}

// Lists and signatures are asked for with POST, too.
function isWrite(event: LiveEvent, schemaName: string): boolean {
  if (event.kind !== 'request') return false
  const { service, method, target, schema_name, status } = event.entry
  return (
    service === 'storage' &&
    schema_name === schemaName &&
    status < 300 &&
    (method === 'PUT' ||
      method === 'DELETE' ||
      method === 'PATCH' ||
      (method === 'POST' && !/\/object\/(list|sign)/.test(target)))
  )
}

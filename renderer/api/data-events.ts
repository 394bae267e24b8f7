// Selects the live events that mean that data of tenants may have changed. Pure.
import type { LiveEvent } from '../../emulator/contract/events.ts'

/** Whether rows, structure, users or files of any tenant may have changed. */
export function changesData(event: LiveEvent): boolean {
  return event.kind === 'written' || event.kind === 'project' || isStorageWrite(event)
}

/** Whether the request changed buckets or objects. Requests that list, sign or get a token use POST but write nothing. */
export function isStorageWrite(event: LiveEvent, schemaName?: string): boolean {
  if (event.kind !== 'request') return false
  const { service, method, target, schema_name, status } = event.entry
  return (
    service === 'storage' &&
    (schemaName === undefined || schema_name === schemaName) &&
    status < 300 &&
    (method === 'PUT' ||
      method === 'DELETE' ||
      method === 'PATCH' ||
      (method === 'POST' && !/\/object\/(list|sign)|\/st\/v1\/token/.test(target)))
  )
}

// Entries of the palette that the typed text finds: users of the tenant, a request by its id, and a row by its key.
import { useNavigate } from '@tanstack/react-router'
import { useFound } from '../api/palette.ts'
import { useActingAs } from '../parts/acting-as.ts'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { rowKeyLabel, rowKeyText } from '../parts/row-key.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { readPaste } from './read-paste.ts'

/** Matches texts such as `act as ana`, which search for a user only. */
const ACT_AS = /^(?:act as|impersonate|be)\s+(\S.*)$/i

/**
 * @param typed the text in the palette's field
 * @param tables names of the current tenant's own tables
 */
export function useFoundEntries(typed: string, tables: readonly string[]): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const tenant = useCurrentTenant()
  const { actAs } = useActingAs()
  const [, who] = ACT_AS.exec(typed) ?? []
  // A pasted credential must not get into the URL of a request. Pasted addresses and commands can contain a credential.
  const { data } = useFound(tenant, isPasted(typed) ? '' : (who ?? typed), tables)
  if (data === undefined) return []
  const { users, request, row } = data
  const shared = { isMono: true, isFound: true }
  return [
    ...(request === undefined
      ? []
      : [
          {
            ...shared,
            id: `request ${request.request_id}`,
            label: `${request.status} ${request.method} ${request.target}`,
            group: 'Request',
            run: () =>
              void navigate({
                to: '/requests/$requestId',
                params: { requestId: request.request_id },
              }),
          },
        ]),
    ...(row === undefined || tenant === undefined
      ? []
      : [
          {
            ...shared,
            id: `row ${row.table} ${rowKeyText(row.key)}`,
            label: `${row.table} ${rowKeyLabel(row.key)}`,
            group: `Row of ${tenant}`,
            run: () =>
              void navigate({
                to: '/t/$tenant/tables/$table',
                params: { tenant, table: row.table },
                search: { row: rowKeyText(row.key) },
              }),
          },
        ]),
    ...(tenant === undefined
      ? []
      : users.map(({ id, email, phone }) => ({
          ...shared,
          id: `user ${id}`,
          label: email ?? phone ?? id,
          group: who === undefined ? `Users of ${tenant}` : 'Act as',
          run: () =>
            who === undefined
              ? void navigate({ to: '/t/$tenant/users', params: { tenant }, search: { user: id } })
              : actAs({ kind: 'user', user: email ?? phone ?? id }),
        }))),
  ]
}

/** Whether the text is a credential, an address or a command. */
function isPasted(typed: string): boolean {
  return readPaste(typed).some(({ kind }) => kind !== 'code' && kind !== 'status')
}

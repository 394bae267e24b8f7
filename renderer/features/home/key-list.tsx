// The keys of the current tenant and of its group: hidden until asked for, copied whole either way.
import type { ReactElement } from 'react'
import type { ReadyLine } from '../../../emulator/contract/addresses.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Secret } from '../../ui/secret.tsx'

export function KeyList({
  info,
  tenant: slug,
}: {
  readonly info: ReadyLine
  readonly tenant: string | undefined
}): ReactElement {
  const group = info.groups.find(({ tenants }) => tenants.some((one) => one.slug === slug))
  const tenant = group?.tenants.find((one) => one.slug === slug)
  if (group === undefined || tenant === undefined)
    return (
      <EmptyState
        title="No keys for this project here"
        detail="Choose a tenant in the top bar to see its keys."
      />
    )
  const keys = [
    ['anon key', tenant.anon_key],
    ['service_role key', tenant.service_role_key],
    ['management key', tenant.management_key],
    ['Group API Key', group.group_api_key],
    ['session token', info.platform.session_token],
    [`password of ${info.platform.email}`, info.platform.password],
  ] as const
  return (
    <div className="px-4 py-3">
      <KeyValueList
        items={[
          [
            'Schema',
            <MiddleTruncate key="schema" text={tenant.schema_name} copyLabel="Copy the schema" />,
          ],
          ...keys.map(
            ([name, value]) => [name, <Secret key={name} value={value} label={name} />] as const,
          ),
        ]}
      />
    </div>
  )
}

// How an application reaches this emulator as the current tenant.
import type { ReactElement } from 'react'
import { useInfo } from '../api/info.ts'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { Code } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failed } from '../ui/failed.tsx'
import { KeyValueList } from '../ui/key-value-list.tsx'
import { Loading } from '../ui/loading.tsx'
import { MiddleTruncate } from '../ui/middle-truncate.tsx'
import { Secret } from '../ui/secret.tsx'
import { Section } from '../ui/sheet.tsx'
import { envBlock } from './env-block.ts'

export function ConnectionCard({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactElement {
  return (
    <Dialog title="Connect" side="right" isOpen={isOpen} onClose={onClose}>
      <Connection />
    </Dialog>
  )
}

function Connection(): ReactElement {
  const { data: info, error, refetch } = useInfo()
  const slug = useCurrentTenant()
  if (error !== null) return <Failed error={error} retry={() => void refetch()} />
  if (info === undefined) return <Loading label="Loading addresses" />
  const tenant = info.groups.flatMap(({ tenants }) => tenants).find((one) => one.slug === slug)
  const block = slug === undefined ? undefined : envBlock(info, slug)
  return (
    <div className="flex flex-col gap-6">
      <Section title="Addresses">
        <KeyValueList
          items={(
            [
              ['Auth and management', info.auth_url],
              ['Data (REST)', info.data_url],
              ['Storage', info.storage_url],
              ['Realtime', info.realtime_url],
            ] as const
          ).map(([name, url]) => [
            name,
            <MiddleTruncate key={name} text={url} copyLabel={`Copy the address of ${name}`} />,
          ])}
        />
      </Section>
      {tenant === undefined ? (
        <EmptyState
          title="No keys for this project here"
          detail="Choose a tenant in the top bar to see its keys and its .env block."
        />
      ) : (
        <Section title={`Keys of ${tenant.slug}`}>
          <KeyValueList
            items={[
              ['Schema', <code key="schema">{tenant.schema_name}</code>],
              ['anon key', <Secret key="anon" value={tenant.anon_key} label="anon key" />],
              [
                'service_role key',
                <Secret key="service" value={tenant.service_role_key} label="service_role key" />,
              ],
              [
                'management key',
                <Secret key="management" value={tenant.management_key} label="management key" />,
              ],
            ]}
          />
        </Section>
      )}
      {block === undefined ? undefined : (
        <Section title=".env for your application">
          <Code text={block} label=".env block" />
        </Section>
      )}
    </div>
  )
}

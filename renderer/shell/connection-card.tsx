// Shows the addresses, keys and `.env` block with which an application connects to this emulator as the current tenant.
import { Eye, EyeOff } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import { useInfo } from '../api/info.ts'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failed } from '../ui/failed.tsx'
import { KeyValueList } from '../ui/key-value-list.tsx'
import { Loading } from '../ui/loading.tsx'
import { MiddleTruncate } from '../ui/middle-truncate.tsx'
import { Secret } from '../ui/secret.tsx'
import { Section } from '../ui/sheet.tsx'

export function ConnectionCard(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactElement {
  const { isOpen, onClose } = props
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
            <MiddleTruncate key={name} text={url} copyLabel={`Copy address of ${name}`} />,
          ])}
        />
      </Section>
      {tenant === undefined ? (
        <EmptyState
          title="No keys for this project"
          detail="Keys and the .env block of a tenant appear here. Choose a tenant in the top bar."
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
      {block !== undefined && <EnvBlock lines={block} />}
    </div>
  )
}

type EnvLine = readonly [name: string, value: string]

/** Keys and passwords are hidden until the user reveals them. Copying always yields the complete block. */
function EnvBlock({ lines }: { readonly lines: readonly EnvLine[] }): ReactElement {
  const [isRevealed, setRevealed] = useState(false)
  const text = (shownOf: (line: EnvLine) => string) =>
    lines.map((line) => `${line[0]}=${shownOf(line)}\n`).join('')
  const complete = text(([, value]) => value)
  return (
    <Section title=".env for your application">
      <Code text={isRevealed ? complete : text(hidden)} copied={complete} label=".env block" />
      <Button
        size="small"
        icon={isRevealed ? <EyeOff /> : <Eye />}
        onClick={() => setRevealed(!isRevealed)}
      >
        {isRevealed ? 'Hide keys' : 'Reveal keys'}
      </Button>
    </Section>
  )
}

function hidden([name, value]: EnvLine): string {
  return /_(?:KEY|PASSWORD)$/.test(name) ? '••••••••••••' : value
}

/** Returns the same lines that `tenantry env` prints; `undefined` for a project without listed keys. */
function envBlock(info: ReadyLine, slug: string): readonly EnvLine[] | undefined {
  for (const group of info.groups) {
    const tenant = group.tenants.find((one) => one.slug === slug)
    if (tenant === undefined) continue
    return [
      ['TENANTRY_AUTH_URL', info.auth_url],
      ['TENANTRY_DATA_URL', info.data_url],
      ['TENANTRY_DEV_EMAIL', info.platform.email],
      ['TENANTRY_DEV_PASSWORD', info.platform.password],
      ['TENANTRY_STORAGE_URL', info.storage_url],
      ['TENANTRY_REALTIME_URL', info.realtime_url],
      ['TENANTRY_PROJECT', tenant.slug],
      ['TENANTRY_SCHEMA', tenant.schema_name],
      ['TENANTRY_ANON_KEY', tenant.anon_key],
      ['TENANTRY_SERVICE_ROLE_KEY', tenant.service_role_key],
      ['TENANTRY_GROUP_ID', group.id],
      ['TENANTRY_GROUP_API_KEY', group.group_api_key],
    ]
  }
  return undefined
}

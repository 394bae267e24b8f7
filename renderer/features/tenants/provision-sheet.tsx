// Provisions a tenant the way the vendor's backend does, and shows how long that took and the keys it got.
import { Plus, Timer } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import type { ProvisionedTenant } from '../../api/groups.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { formatDuration } from '../../ui/format.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EMPTY_DRAFT, orderOf, type ProvisionDraft } from './provision-draft.ts'
import { useGroupActions } from './use-group-actions.ts'

export interface ProvisionSheetProps {
  readonly group: GroupOverview
  readonly onOpen: (slug: string) => void
  readonly onClose: () => void
}

export function ProvisionSheet({ group, onOpen, onClose }: ProvisionSheetProps): ReactElement {
  const { provision } = useGroupActions(group.id)
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const edit = (members: Partial<ProvisionDraft>) => setDraft({ ...draft, ...members })
  const order = orderOf(draft)
  return (
    <Sheet
      title={`New tenant of ${group.name}`}
      label="Provision a tenant"
      name="tenant"
      width={440}
      onClose={onClose}
    >
      <form
        aria-label="Provision a tenant"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (order !== undefined && order.slug !== '')
            provision.mutate(order, { onSuccess: () => setDraft(EMPTY_DRAFT) })
        }}
      >
        <TextField
          label="Slug"
          isMono
          placeholder="new_customer"
          hint="Small letters, digits and underscores; it names the schema."
          value={draft.slug}
          onChange={(slug) => edit({ slug })}
        />
        <TextField
          label="External id"
          isMono
          placeholder="customer-1003"
          hint="What your own system calls this customer."
          value={draft.externalId}
          onChange={(externalId) => edit({ externalId })}
        />
        <TextField
          label="Metadata, as JSON"
          isMono
          lines={4}
          placeholder='{"city": "Recife"}'
          error={order === undefined ? 'This is no JSON object.' : undefined}
          value={draft.metadata}
          onChange={(metadata) => edit({ metadata })}
        />
        {provision.error === null ? undefined : (
          <Failed title="The tenant was not made" error={provision.error} />
        )}
        <Button
          type="submit"
          tone="primary"
          icon={<Plus aria-hidden="true" />}
          isBusy={provision.isPending}
          disabled={draft.slug.trim() === '' || order === undefined}
        >
          Provision
        </Button>
      </form>
      {provision.data === undefined ? undefined : <Made tenant={provision.data} onOpen={onOpen} />}
    </Sheet>
  )
}

function Made({
  tenant,
  onOpen,
}: {
  readonly tenant: ProvisionedTenant
  readonly onOpen: (slug: string) => void
}): ReactElement {
  return (
    <div
      role="status"
      className="flex animate-arrive flex-col gap-3 rounded-2 border border-allowed/40 bg-allowed/10 p-3"
    >
      <p className="flex items-center gap-2">
        <Timer aria-hidden="true" className="size-4 text-allowed" />
        <span>
          <code>{tenant.slug}</code> stands after{' '}
          <strong className="font-strong">{formatDuration(tenant.tookMillis)}</strong>.
        </span>
        <Button size="small" className="ml-auto" onClick={() => onOpen(tenant.slug)}>
          Open
        </Button>
      </p>
      <KeyValueList
        items={[
          ['Schema', <code key="schema">{tenant.schemaName}</code>],
          ['anon key', <Secret key="anon" value={tenant.anonKey} label="new anon key" />],
          [
            'service_role key',
            <Secret key="service" value={tenant.serviceRoleKey} label="new service_role key" />,
          ],
        ]}
      />
    </div>
  )
}

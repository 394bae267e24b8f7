// Provisions a tenant as the vendor's backend does. Then shows how long provisioning took, and the tenant's keys.
import { Plus, Timer } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import { type ProvisionedTenant, provisionTenant } from '../../api/groups.ts'
import { useProjectList } from '../../api/info.ts'
import { Button } from '../../ui/button.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EMPTY_DRAFT, readDraft } from './provision-draft.ts'
import { createdText, fullText, HINTS } from './texts.ts'

export function ProvisionSheet(props: {
  readonly group: GroupOverview
  readonly onOpen: (slug: string) => void
  readonly onClose: () => void
}): ReactElement {
  const { group, onOpen, onClose } = props
  const taken = useTakenSlugs()
  const { tenant_limit: limit } = group
  const isFull = limit !== null && group.tenants.length >= limit
  const form = useForm({
    initial: EMPTY_DRAFT,
    read: (draft) => (isFull ? { kind: 'wrong', problems: {} } : readDraft(draft, taken)),
    send: (order) => provisionTenant(group.id, order),
    stale: [['fleet'], ['overview'], ['info']],
    onSent: () => form.reset(),
  })
  return (
    <Sheet
      title={`New tenant of ${group.name}`}
      label="New tenant"
      name="tenant"
      width={440}
      isForm
      onClose={onClose}
    >
      {isFull && <p className="text-clock">{fullText(limit)}</p>}
      <Form
        form={form}
        label="New tenant"
        action="Provision tenant"
        icon={<Plus />}
        failure="Could not provision the tenant"
      >
        <TextField
          {...form.field('slug')}
          label="Slug"
          isMono
          placeholder="new_customer"
          hint={HINTS.slug}
        />
        <TextField
          {...form.field('externalId')}
          label="External ID"
          isMono
          placeholder="customer-1003"
          hint={HINTS.externalId}
        />
        <TextField
          {...form.field('metadata')}
          label="Metadata, as JSON"
          isMono
          lines={4}
          placeholder='{"city": "Recife"}'
        />
      </Form>
      {form.answer !== undefined && <Created tenant={form.answer} onOpen={onOpen} />}
    </Sheet>
  )
}

function useTakenSlugs(): ReadonlySet<string> {
  const { data: list } = useProjectList()
  return useMemo(() => new Set(list?.projects.map(({ slug }) => slug)), [list])
}

function Created(props: {
  readonly tenant: ProvisionedTenant
  readonly onOpen: (slug: string) => void
}): ReactElement {
  const { tenant, onOpen } = props
  return (
    <div
      role="status"
      className="flex animate-arrive flex-col gap-3 rounded-2 border border-allowed/40 bg-allowed/10 p-3"
    >
      <p className="flex items-center gap-2">
        <Timer className="size-4 text-allowed" />
        <span>
          <code>{tenant.slug}</code> {createdText(tenant.tookMillis)}
        </span>
        <Button size="small" className="ml-auto" onClick={() => onOpen(tenant.slug)}>
          Open tenant
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

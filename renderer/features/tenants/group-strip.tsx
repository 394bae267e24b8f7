// The open group in one line: its template and plan, how much of its quotas is used, and what can be done with it.
import { Ellipsis, KeyRound, LayoutTemplate, Upload } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import type { PlanTier } from '../../api/groups.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Select } from '../../ui/select.tsx'
import { PublishDialog, RenameDialog } from './group-dialogs.tsx'
import type { TenantsSearch } from './tenants-search.ts'
import { useGroupActions } from './use-group-actions.ts'

export interface GroupStripProps {
  readonly group: GroupOverview
  readonly onOpen: (search: TenantsSearch) => void
}

const PLANS = (['free', 'site', 'pro', 'scale'] as const).map((plan) => ({
  value: plan,
  label: plan,
}))

export function GroupStrip({ group, onOpen }: GroupStripProps): ReactElement {
  const actions = useGroupActions(group.id)
  const [dialog, setDialog] = useState<'publish' | 'rename'>()
  const closeDialog = () => setDialog(undefined)
  const { template } = group
  return (
    <section
      aria-label={`Group ${group.name}`}
      className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-3 border-b bg-surface-1 px-4 py-3"
    >
      {template === null ? (
        <span className="text-clock">The group has no template any more.</span>
      ) : (
        <>
          <Button
            icon={<LayoutTemplate aria-hidden="true" />}
            onClick={() => onOpen({ project: template.slug })}
          >
            <span className="text-ink-dim">Template</span>
            <span className="font-mono">{template.slug}</span>
            <span className="font-mono text-ink-dim">v{template.version}</span>
          </Button>
          <Select
            label="Plan"
            hasPrefix
            value={PLANS.find(({ value }) => value === group.plan_tier)?.value ?? null}
            options={PLANS}
            isDisabled={actions.plan.isPending}
            onChange={(plan: PlanTier) =>
              actions.plan.mutate({ projectId: template.project_id, plan })
            }
          />
        </>
      )}
      <Quotas group={group} />
      <div className="ml-auto flex items-center gap-2">
        <Button icon={<KeyRound aria-hidden="true" />} onClick={() => onOpen({ sheet: 'keys' })}>
          Group API Keys
          <span className="text-ink-dim">{formatNumber(standingKeys(group))}</span>
        </Button>
        <Button
          icon={<Upload aria-hidden="true" />}
          isBusy={actions.publish.isPending}
          onClick={() => setDialog('publish')}
        >
          Publish template
        </Button>
        <Menu
          align="end"
          trigger={<IconButton label="More of this group" icon={<Ellipsis aria-hidden="true" />} />}
          items={[{ label: 'Rename the group…', onSelect: () => setDialog('rename') }]}
        />
      </div>
      <PublishDialog
        group={group}
        actions={actions}
        isOpen={dialog === 'publish'}
        onClose={closeDialog}
      />
      <RenameDialog
        group={group}
        actions={actions}
        isOpen={dialog === 'rename'}
        onClose={closeDialog}
      />
    </section>
  )
}

function Quotas({
  group: { tenants, tenant_limit: limit },
}: {
  readonly group: GroupOverview
}): ReactElement {
  const storageLimits = tenants.map((tenant) => tenant.storage_limit_bytes)
  const storage = tenants.reduce((sum, tenant) => sum + tenant.storage_bytes, 0)
  const database = tenants.reduce((sum, tenant) => sum + (tenant.database_bytes ?? 0), 0)
  return (
    <div className="grid min-w-[440px] max-w-[640px] flex-1 grid-cols-3 gap-6">
      <Meter label="Tenants" value={tenants.length} limit={limit} format={formatNumber} />
      <Meter
        label="Storage"
        value={storage}
        limit={
          storageLimits.length === 0 || storageLimits.includes(null)
            ? null
            : storageLimits.reduce<number>((sum, one) => sum + (one ?? 0), 0)
        }
        format={formatBytes}
      />
      <Meter label="Database" value={database} limit={null} format={formatBytes} />
    </div>
  )
}

function standingKeys({ keys }: GroupOverview): number {
  return keys.filter(({ revoked_at: at }) => at === null).length
}

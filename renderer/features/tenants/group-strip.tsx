// The line about the open group shows its template, plan, quotas and actions.
import { Ellipsis, KeyRound, LayoutTemplate, Upload } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { PLAN_TIERS, type PlanTier } from '../../../emulator/contract/choices.ts'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import { changePlan, publishTemplate, renameGroup } from '../../api/groups.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { useAction } from '../../ui/form-action.ts'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { plainOptionsOf } from '../../ui/form-values.ts'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { TenantsSearch } from './tenants-search.ts'
import { CONFIRM, HINTS, publishedText } from './texts.ts'

export interface GroupStripProps {
  readonly group: GroupOverview
  readonly onOpen: (search: TenantsSearch) => void
}

const STALE = [['fleet'], ['overview'], ['info']]

export function GroupStrip({ group, onOpen }: GroupStripProps): ReactElement {
  const [dialog, setDialog] = useState<'publish' | 'rename'>()
  const closeDialog = () => setDialog(undefined)
  const publish = useAction({
    work: () => publishTemplate(group.id),
    stale: STALE,
    done: ({ slug, tables, tenantsOnOlderVersion }) => ({
      title: `${slug} published`,
      detail: publishedText(tables, tenantsOnOlderVersion),
    }),
    failure: 'Could not publish the template',
  })
  return (
    <section
      aria-label={`Group ${group.name}`}
      className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-3 border-b bg-surface-1 px-4 py-3"
    >
      <Template group={group} onOpen={onOpen} />
      <Quotas group={group} />
      <div className="ml-auto flex items-center gap-2">
        <Button icon={<KeyRound />} onClick={() => onOpen({ sheet: 'keys' })}>
          Group API Keys
          <span className="text-ink-dim">{formatNumber(activeKeys(group))}</span>
        </Button>
        <Button icon={<Upload />} isBusy={publish.isPending} onClick={() => setDialog('publish')}>
          Publish template
        </Button>
        <Menu
          align="end"
          trigger={<IconButton label="Group actions" icon={<Ellipsis />} />}
          items={[{ label: 'Rename group…', onSelect: () => setDialog('rename') }]}
        />
      </div>
      <ConfirmDialog
        isOpen={dialog === 'publish'}
        title="Publish template"
        action="Publish template"
        tone="primary"
        onConfirm={() => {
          publish.mutate()
          closeDialog()
        }}
        onClose={closeDialog}
      >
        {CONFIRM.publish}
      </ConfirmDialog>
      <Dialog title="Rename group" isOpen={dialog === 'rename'} onClose={closeDialog}>
        <RenameForm group={group} onClose={closeDialog} />
      </Dialog>
    </section>
  )
}

function Template({ group: { template, plan_tier }, onOpen }: GroupStripProps): ReactElement {
  const plan = useAction({
    work: ({ projectId, plan }: { readonly projectId: string; readonly plan: PlanTier }) =>
      changePlan(projectId, plan),
    stale: STALE,
    failure: 'Could not change the plan',
  })
  if (template === null) return <span className="text-clock">{HINTS.noTemplate}</span>
  return (
    <>
      <Button icon={<LayoutTemplate />} onClick={() => onOpen({ project: template.slug })}>
        <span className="text-ink-dim">
          {template.version === 1 ? 'Template' : 'Newest version'}
        </span>
        <span className="font-mono">{template.slug}</span>
        {/* The slug of a published version already ends with the version number. */}
        {!template.slug.endsWith(`_v${template.version}`) && (
          <span className="font-mono text-ink-dim">v{template.version}</span>
        )}
      </Button>
      <Select
        label="Plan"
        hasPrefix
        value={PLAN_TIERS.find((known) => known === plan_tier) ?? null}
        options={plainOptionsOf(PLAN_TIERS)}
        isDisabled={plan.isPending}
        onChange={(next) => plan.mutate({ projectId: template.project_id, plan: next })}
      />
    </>
  )
}

function RenameForm(props: {
  readonly group: GroupOverview
  readonly onClose: () => void
}): ReactElement {
  const { group, onClose } = props
  const form = useForm({
    initial: { name: group.name },
    read: ({ name }) =>
      name.trim() === '' || name.trim() === group.name
        ? { kind: 'wrong', problems: {} }
        : { kind: 'ready', order: name.trim() },
    send: (name) => renameGroup(group.id, name),
    stale: STALE,
    onSent: onClose,
  })
  return (
    <Form form={form} action="Rename group" failure="Could not rename the group" onCancel={onClose}>
      <TextField {...form.field('name')} label="Name" />
    </Form>
  )
}

function Quotas({
  group: { tenants, tenant_limit: limit },
}: {
  readonly group: GroupOverview
}): ReactElement {
  const storageLimits = tenants.map((tenant) => tenant.storage_limit_bytes)
  const storage = tenants.reduce((sum, tenant) => sum + tenant.storage_bytes, 0)
  const isRead = tenants.every((tenant) => tenant.database_bytes !== null)
  const database = tenants.reduce((sum, tenant) => sum + (tenant.database_bytes ?? 0), 0)
  return (
    <div className="flex max-w-[640px] min-w-[330px] flex-1 flex-wrap gap-x-6 gap-y-2 *:has-[[role=meter]]:grow">
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
      <Meter
        label="Database"
        value={database}
        limit={null}
        format={(bytes) => `${isRead ? '' : 'at least '}${formatBytes(bytes)}`}
      />
    </div>
  )
}

function activeKeys({ keys }: GroupOverview): number {
  return keys.filter(({ revoked_at: at }) => at === null).length
}

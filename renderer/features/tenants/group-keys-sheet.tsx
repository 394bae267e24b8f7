// Mints, lists and revokes the Group API Keys of a group. The text of a new key shows only once.
import { KeyRound, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import { mintGroupKey, revokeGroupKey } from '../../api/groups.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { useAction } from '../../ui/form-action.ts'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { EMPTY, HINTS } from './texts.ts'

const STALE = [['overview'], ['info']]

export function GroupKeysSheet(props: {
  readonly group: GroupOverview
  readonly onClose: () => void
}): ReactElement {
  const { group, onClose } = props
  return (
    <Sheet
      title={`Group API Keys of ${group.name}`}
      label="Group API Keys"
      name="tenant"
      width={440}
      onClose={onClose}
    >
      <MintKey groupId={group.id} />
      <Section title="Active keys">
        <Keys groupId={group.id} keys={group.keys} />
        <p className="text-small text-ink-dim">{HINTS.emulatorKey}</p>
      </Section>
    </Sheet>
  )
}

function MintKey({ groupId }: { readonly groupId: string }): ReactElement {
  const form = useForm({
    initial: { label: '' },
    read: ({ label }) => ({ kind: 'ready', order: label.trim() }),
    send: (label) => mintGroupKey(groupId, label === '' ? undefined : label),
    stale: STALE,
    onSent: () => form.reset(),
  })
  return (
    <>
      <Form
        form={form}
        layout="line"
        label="New Group API Key"
        action="Mint key"
        tone="primary"
        icon={<KeyRound />}
        failure="Could not mint the key"
      >
        <TextField
          {...form.field('label')}
          label="Label (optional)"
          placeholder="backend of staging"
        />
      </Form>
      {form.answer !== undefined && (
        <div
          role="status"
          className="flex animate-arrive flex-col gap-2 rounded-2 border border-clock/40 bg-clock/10 p-3"
        >
          <p>{HINTS.newKey}</p>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 break-all" data-new-key>
              {form.answer.key}
            </code>
            <CopyButton text={form.answer.key} label="Copy new key" words="Copy" />
          </div>
        </div>
      )}
    </>
  )
}

function Keys(props: Pick<GroupOverview, 'keys'> & { readonly groupId: string }): ReactElement {
  const { groupId, keys } = props
  const revoke = useAction({
    work: (keyId: string) => revokeGroupKey(groupId, keyId),
    stale: STALE,
    failure: 'Could not revoke the key',
  })
  if (keys.length === 0) return <EmptyState {...EMPTY.keys} />
  return (
    <ul aria-label="Group API Keys" className="rounded-2 border bg-surface-0">
      {keys.map(({ id, prefix, created_at: created, revoked_at: revoked }) => (
        <li key={id} className="flex min-h-9 items-center gap-3 border-b px-3 last:border-b-0">
          <code>{prefix}…</code>
          <span className="text-small text-ink-dim">
            minted <Timestamp at={created} />
          </span>
          <span className="ml-auto">
            {revoked === null ? (
              <Button
                size="small"
                tone="danger"
                icon={<Trash2 />}
                isBusy={revoke.isPending && revoke.variables === id}
                onClick={() => revoke.mutate(id)}
              >
                Revoke key
              </Button>
            ) : (
              <Chip tone="refused">revoked</Chip>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

// The Group API Keys of a group: prefixes of those that stand, one more minted (its clear text shown this once), one revoked.
import { KeyRound, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { GroupOverview } from '../../../emulator/contract/overview.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { type GroupActions, useGroupActions } from './use-group-actions.ts'

export interface GroupKeysSheetProps {
  readonly group: GroupOverview
  readonly onClose: () => void
}

export function GroupKeysSheet({ group, onClose }: GroupKeysSheetProps): ReactElement {
  const actions = useGroupActions(group.id)
  return (
    <Sheet
      title={`Group API Keys of ${group.name}`}
      label="Group API Keys"
      name="tenant"
      width={440}
      onClose={onClose}
    >
      <MintKey mint={actions.mint} />
      <Section title="Keys that stand">
        <Keys keys={group.keys} revoke={actions.revoke} />
        <p className="text-small text-ink-dim">
          The key that “Connect” and the .env block tell belongs to the emulator: revoked, it comes
          back the next time somebody asks for it.
        </p>
      </Section>
    </Sheet>
  )
}

function MintKey({ mint }: Pick<GroupActions, 'mint'>): ReactElement {
  const [label, setLabel] = useState('')
  return (
    <>
      <form
        aria-label="Mint a Group API Key"
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          mint.mutate(label.trim(), { onSuccess: () => setLabel('') })
        }}
      >
        <div className="min-w-0 flex-1">
          <TextField
            label="Label, if you like"
            placeholder="backend of staging"
            value={label}
            onChange={setLabel}
          />
        </div>
        <Button
          type="submit"
          tone="primary"
          icon={<KeyRound aria-hidden="true" />}
          isBusy={mint.isPending}
        >
          Mint key
        </Button>
      </form>
      {mint.error === null ? undefined : <Failed title="No key was minted" error={mint.error} />}
      {mint.data === undefined ? undefined : (
        <div
          role="status"
          className="flex animate-arrive flex-col gap-2 rounded-2 border border-clock/40 bg-clock/10 p-3"
        >
          <p>Copy it now: only its prefix is kept.</p>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 break-all" data-new-key>
              {mint.data.key}
            </code>
            <CopyButton text={mint.data.key} label="Copy the new key" words="Copy" />
          </div>
        </div>
      )}
    </>
  )
}

function Keys({
  keys,
  revoke,
}: Pick<GroupOverview, 'keys'> & Pick<GroupActions, 'revoke'>): ReactElement {
  if (keys.length === 0) return <EmptyState title="No key stands" />
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
                icon={<Trash2 aria-hidden="true" />}
                isBusy={revoke.isPending && revoke.variables === id}
                onClick={() => revoke.mutate(id)}
              >
                Revoke
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

// The kit: buttons, menus, things that open.
import { Copy, Plus, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmTyped } from '../../ui/confirm-typed.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Section } from '../../ui/sheet.tsx'
import { showToast } from '../../ui/toast.tsx'

export function KitActions(): ReactElement {
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="flex flex-col gap-6 p-4">
      <Section title="Buttons">
        <div className="flex flex-wrap items-center gap-2">
          <Button tone="primary" icon={<Plus aria-hidden="true" />}>
            Provision
          </Button>
          <Button>Plain</Button>
          <Button tone="danger">Purge</Button>
          <Button tone="quiet">Quiet</Button>
          <Button isBusy>Saving</Button>
          <Button disabled>Disabled</Button>
          <Button size="small">Small</Button>
          <IconButton label="Delete" keys="Del" icon={<Trash2 aria-hidden="true" />} />
        </div>
      </Section>
      <Section title="What opens">
        <div className="flex flex-wrap items-center gap-2">
          <Menu
            trigger={<Button>Menu</Button>}
            items={[
              {
                label: 'Copy as curl',
                icon: <Copy aria-hidden="true" />,
                keys: 'c',
                onSelect: () => showToast({ title: 'Copied', tone: 'allowed' }),
              },
              'line',
              {
                label: 'Delete',
                tone: 'danger',
                icon: <Trash2 aria-hidden="true" />,
                onSelect: () => showToast({ title: 'It stays.', tone: 'refused' }),
              },
            ]}
          />
          <Popover trigger={<Button>Popover</Button>} title="Columns">
            Any content.
          </Popover>
          <Button onClick={() => setAsking(true)}>Confirm</Button>
          <Button onClick={() => showToast({ title: 'Saved', detail: 'Three rows.' })}>
            Toast
          </Button>
        </div>
      </Section>
      <ConfirmTyped
        isOpen={isAsking}
        title="Purge aurora"
        name="aurora"
        action="Purge"
        onConfirm={() => setAsking(false)}
        onClose={() => setAsking(false)}
      >
        Its schema, users and files are deleted for good.
      </ConfirmTyped>
    </div>
  )
}

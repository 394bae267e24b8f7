// The toolbar above a folder shows the path, and has controls for list or tiles, a new folder, and uploads.
import { ChevronRight, FolderPlus, LayoutGrid, List, Trash2, Upload } from 'lucide-react'
import { type ReactElement, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Popover } from '../../ui/popover.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { problemOfKey, stepsOf } from './entries.ts'
import type { StorageAddress } from './use-storage-address.ts'

export function FolderToolbar(props: {
  readonly address: StorageAddress
  readonly pickedCount: number
  readonly onFiles: (files: readonly File[]) => void
  readonly onNewFolder: (name: string) => void
  readonly onDelete: () => void
}): ReactElement {
  const { address, pickedCount, onFiles } = props
  const field = useRef<HTMLInputElement>(null)
  return (
    <Toolbar
      label="Folder"
      actions={
        <>
          {pickedCount !== 0 && (
            <Button tone="danger" icon={<Trash2 />} onClick={props.onDelete}>
              Delete {countOf(pickedCount, 'entry', 'entries')}
            </Button>
          )}
          <IconButton
            label="Show as list"
            icon={<List />}
            isPressed={!address.hasTiles}
            onClick={() => address.showTiles(false)}
          />
          <IconButton
            label="Show as tiles"
            icon={<LayoutGrid />}
            isPressed={address.hasTiles}
            onClick={() => address.showTiles(true)}
          />
          <NewFolder onMake={props.onNewFolder} />
          <Button tone="primary" icon={<Upload />} onClick={() => field.current?.click()}>
            Upload files
          </Button>
          <input
            ref={field}
            type="file"
            multiple
            hidden
            data-testid="upload-field"
            onChange={(event) => {
              onFiles([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </>
      }
    >
      <Breadcrumb address={address} />
    </Toolbar>
  )
}

function Breadcrumb({ address }: { readonly address: StorageAddress }): ReactElement {
  const steps = [{ name: address.bucket ?? '', folder: '' }, ...stepsOf(address.folder)]
  return (
    <nav aria-label="Path" className="flex min-w-0 items-center gap-1 font-mono">
      {steps.map(({ name, folder }, index) => (
        <span key={folder} className="flex min-w-0 items-center gap-1">
          {index !== 0 && <ChevronRight className="size-3 text-ink-dim" />}
          <button
            type="button"
            aria-current={index === steps.length - 1 ? 'page' : undefined}
            onClick={() => address.openFolder(folder)}
            className="max-w-48 truncate rounded-1 px-1 text-ink-dim hover:bg-surface-2 hover:text-ink aria-[current]:text-ink"
          >
            {name}
          </button>
        </span>
      ))}
    </nav>
  )
}

function NewFolder({ onMake }: { readonly onMake: (name: string) => void }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const problem = name === '' ? undefined : problemOfKey(name)
  return (
    <Popover
      title="New folder"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={<Button icon={<FolderPlus />}>New folder</Button>}
    >
      <Form
        form={{
          isReady: name !== '' && problem === undefined,
          submit: () => {
            onMake(name)
            setOpen(false)
            setName('')
          },
        }}
        action="Create folder"
      >
        <TextField
          label="Name of the folder"
          value={name}
          onChange={setName}
          isMono
          error={problem}
        />
      </Form>
    </Popover>
  )
}

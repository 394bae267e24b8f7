// The columns of the object list, and the icon for each type of entry.
import { File, FileCode, FileText, Folder, ImageIcon, Music, Video } from 'lucide-react'
import type { ReactElement } from 'react'
import { Chip } from '../../ui/chip.tsx'
import type { GridColumn } from '../../ui/data-grid.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import type { ShownEntry } from './entries.ts'

/** @param who label of the identity that reads the list */
export function objectColumns(
  who: string,
  onOpen: (entry: ShownEntry) => void,
): readonly GridColumn<ShownEntry>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      min: 280,
      render: (entry) => (
        <span className="flex min-w-0 items-center gap-2">
          <EntryIcon entry={entry} />
          <button
            type="button"
            className="min-w-0 truncate text-left hover:underline"
            onClick={() => onOpen(entry)}
          >
            <MiddleTruncate text={entry.name} isMono />
          </button>
          {entry.isHidden && <Chip tone="hidden">hidden from {who}</Chip>}
        </span>
      ),
    },
    {
      id: 'type',
      leaves: 2,
      header: 'Type',
      width: 180,
      isMono: true,
      render: ({ isFolder, mimeType }) => (isFolder ? '' : mimeType),
    },
    {
      id: 'size',
      header: 'Size',
      width: 90,
      align: 'end',
      render: ({ size }) => (size === undefined ? '' : <Bytes bytes={size} />),
    },
    {
      id: 'updated',
      leaves: 1,
      header: 'Updated',
      width: 120,
      render: ({ updatedAt }) => (updatedAt === null ? '' : <Timestamp at={updatedAt} />),
    },
  ]
}

const ICONS: readonly (readonly [RegExp, typeof File])[] = [
  [/^image\//, ImageIcon],
  [/^video\//, Video],
  [/^audio\//, Music],
  [/json|javascript|xml|html|css|sql/, FileCode],
  [/^text\/|pdf/, FileText],
]

export function EntryIcon({ entry }: { readonly entry: ShownEntry }): ReactElement {
  const Icon = entry.isFolder
    ? Folder
    : (ICONS.find(([pattern]) => pattern.test(entry.mimeType ?? ''))?.[1] ?? File)
  return <Icon className="size-4 shrink-0 text-ink-dim" />
}
